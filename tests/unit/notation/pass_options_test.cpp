#include "notation/pass_options.h"

#include <gtest/gtest.h>

namespace ordo::notation {
namespace {

TEST(PassOptionsTest, ThresholdsOfPassesAreKnown) {
  for (const char* option : {"-inline-threshold=-25", "--inline-threshold=0", "-unroll-threshold=300"})
    EXPECT_TRUE(isPassOption(option)) << option;
}

TEST(PassOptionsTest, WhatIsNoNumberOrOfAnotherKindIsNot) {
  for (const char* option :
       {"", "-", "inline-threshold=5", "-inline-threshold", "-inline-threshold=", "-inline-threshold=x",
        "-inline-threshold=5 -time-passes", "---inline-threshold=5", "-time-passes", "-time-passes=1",
        "-pgo-test-profile-file=7", "-enable-machine-outliner=1", "-=1"})
    EXPECT_FALSE(isPassOption(option)) << option;
}

TEST(PassOptionsTest, OfTwoWithOneNameTheLaterCounts) {
  std::vector<std::string> options{"-inline-threshold=5", "-unroll-threshold=3"};
  setPassOption(options, "--inline-threshold=-25");
  EXPECT_EQ(options, (std::vector<std::string>{"-unroll-threshold=3", "--inline-threshold=-25"}));
}

}  // namespace
}  // namespace ordo::notation
