#include "loop/service/command_balancer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/files.h"

namespace ordo::loop {
namespace {

class LoopCommandBalancerTest : public testing::Test {
 protected:
  void SetUp() override {
    script("set", "echo \"$1 $2 $3\" >weights\n");
    script("look",
           "read p c n <weights\n"
           "echo \"production $p up 1 0\"; echo \"control $c up 2 0\"; echo \"canary $n down 3 4\"\n");
    settings_.folder = dir_.path();
    settings_.balancer_set = {"./set", "{production}", "{control}", "{canary}"};
    settings_.balancer_look = {"./look"};
  }
  void script(const std::string& name, const std::string& text) {
    ASSERT_TRUE(writeFile(dir_.path() / name, "#!/bin/sh\n" + text));
    ::chmod((dir_.path() / name).c_str(), 0755);
  }

  TempDir dir_ = *TempDir::create();
  Settings settings_;
};

TEST_F(LoopCommandBalancerTest, SetsWeightsAndLooksWhetherTheyAre) {
  const std::unique_ptr<Balancer> balancer = *openBalancer(settings_);
  ASSERT_TRUE(balancer->set({.control = 0.1, .canary = 0.1}));
  EXPECT_EQ(*readFile(dir_.path() / "weights"), "204 26 26\n");
  EXPECT_NEAR((*balancer->get()).canary, 0.1, 0.005);
  const auto counts = *balancer->counts();
  EXPECT_TRUE(counts[0].up);
  EXPECT_FALSE(counts[2].up);
  EXPECT_EQ(counts[2].errors, 3u);
  EXPECT_EQ(counts[2].redispatches, 4u);
}

TEST_F(LoopCommandBalancerTest, WhatDoesNotTakeThemIsAnError) {
  const std::unique_ptr<Balancer> balancer = *openBalancer(settings_);
  ASSERT_TRUE(balancer->set({}));
  script("set", "exit 0\n");
  EXPECT_NE(balancer->set({.control = 0.1, .canary = 0.1}).error().message.find("256, 0 and 0"),
            std::string::npos);
  script("set", "echo 'no such upstream' >&2; exit 3\n");
  EXPECT_NE(balancer->set({}).error().message.find("no such upstream"), std::string::npos);
  EXPECT_EQ(balancer->set({}).error().code, ErrorCode::kUnavailable);
}

TEST(LoopReadLookTest, SaysNothingThatWasNotSaid) {
  const std::string production = "production 256 up 0 0\n", control = "control 0 up 0 0\n";
  EXPECT_TRUE(readLook(control + production + "canary 0 down 1 2\n"));
  for (const std::string& canary : {std::string(), std::string("\n"), std::string("canary 0 down 1\n"),
                                    std::string("canary 0 down 1 2 3\n"), std::string("canary -1 up 0 0\n"),
                                    std::string("canary 257 up 0 0\n"), std::string("canary 0 UP 0 0\n"),
                                    std::string("canary 0 up -1 0\n"), std::string("canary 0 up 1e3 0\n"),
                                    std::string("canary  0 up 0 0\n"), std::string("other 0 up 0 0\n"),
                                    std::string("canary 0 up 0 99999999999999999999999\n"),
                                    "canary 0 up 0 0\n" + control, std::string(5000, 'x')})
    EXPECT_EQ(readLook(production + control + canary).error().code, ErrorCode::kCorrupt) << canary;
}

}  // namespace
}  // namespace ordo::loop
