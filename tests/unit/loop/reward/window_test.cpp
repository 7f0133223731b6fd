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
  window.canary.up = false;
  window.control.reset = true;
  return window;
}

TEST(LoopWindowTest, ComesBackFromJson) { EXPECT_EQ(*windowFromJson(toJson(some()), "here"), some()); }

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
