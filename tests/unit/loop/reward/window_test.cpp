#include "loop/reward/window.h"

#include <gtest/gtest.h>

namespace ordo::loop {
namespace {

Window some() {
  Window window{.begin_s = 100, .end_s = 130.5, .share = 0.1};
  window.control.latency.add(0.01, 50);
  window.canary.latency.add(0.02, 40);
  window.canary.redispatches = 2;
  window.canary.errors = 1;
  window.canary.aborts = 3;
  window.canary.tries = 47;
  window.canary.up = false;
  window.control.reset = true;
  return window;
}

TEST(LoopWindowTest, ComesBackFromJson) { EXPECT_EQ(*windowFromJson(toJson(some()), "here"), some()); }

TEST(LoopWindowTest, WhatAnOlderOrdoDidNotCountIsNotThere) {
  Window window = some();
  window.canary.aborts = window.canary.tries = 0;
  const Json json = toJson(window);
  EXPECT_FALSE(json["canary"].contains("aborts"));
  EXPECT_EQ(*windowFromJson(json, "here"), window);
}

TEST(LoopWindowTest, FailuresAreAtMostAllRequests) {
  ArmWindow arm{.errors = 40, .redispatches = 20};
  arm.latency.add(0.01, 30);
  EXPECT_EQ(requestsOf(arm), 60);
  EXPECT_EQ(failuresOf(arm), 60);
  arm.tries = 100;
  EXPECT_EQ(requestsOf(arm), 100);
}

TEST(LoopWindowTest, TakesNothingThatIsNoWindow) {
  const auto refused = [](auto change) {
    Json json = toJson(some());
    change(json);
    const auto window = windowFromJson(json, "here");
    return !window && window.error().code == ErrorCode::kCorrupt;
  };
  EXPECT_TRUE(refused([](Json& json) { json = 3; }));
  EXPECT_TRUE(refused([](Json& json) { json.erase("canary"); }));
  EXPECT_TRUE(refused([](Json& json) { json["more"] = 1; }));
  EXPECT_TRUE(refused([](Json& json) { json["end"] = 100; }));
  EXPECT_TRUE(refused([](Json& json) { json["share"] = 1.5; }));
  EXPECT_TRUE(refused([](Json& json) { json["canary"]["errors"] = -1; }));
  EXPECT_TRUE(refused([](Json& json) { json["canary"].erase("latency"); }));
  EXPECT_TRUE(refused([](Json& json) { json["control"]["up"] = "yes"; }));
}

}  // namespace
}  // namespace ordo::loop
