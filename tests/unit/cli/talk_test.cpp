#include "cli/talk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::cli {
namespace {

using agent::Event;
using testing::HasSubstr;

std::string text(Event::Kind kind, std::string_view tool, const Json& content) {
  return talkText({kind, tool, content});
}

TEST(TalkTest, ACallIsALineWithItsArguments) {
  EXPECT_EQ(text(Event::Kind::kCall, "measure_sequence", {{"sequence", {"sroa", "gvn"}}, {"seed", 5}}),
            "-> measure_sequence sequence: sroa gvn; seed: 5\n");
  EXPECT_EQ(text(Event::Kind::kCall, "x", {{"sequence", Json::array()}}), "-> x sequence: (nothing)\n");
  EXPECT_EQ(text(Event::Kind::kCall, "x", 5), "-> x 5\n");
}

TEST(TalkTest, AResultSaysWhatMattersAndWhatIsLeft) {
  EXPECT_EQ(
      text(Event::Kind::kResult, "measure_sequence",
           {{"value", 90}, {"gain", 0.1}, {"best", true}, {"left", {{"compiles", 7}, {"seconds", 2.5}}}}),
      "<- 90 (-10.00 %); best true\n   7 compiles and 2.5 s left\n");
  EXPECT_THAT(text(Event::Kind::kResult, "x", {{"error", {{"code", "failed"}, {"message", "no"}}}}),
              HasSubstr("failed: no"));
}

TEST(TalkTest, WhatTheModelSaysIsIndentedAndHarmless) {
  EXPECT_EQ(text(Event::Kind::kReply, "", {{"content", "one\ntwo\x1b[31m"}}), "model:\n  one\n  two [31m\n");
  EXPECT_EQ(text(Event::Kind::kReply, "", {{"content", ""}}), "");
  EXPECT_EQ(text(Event::Kind::kNote, "", "over"), "over\n");
}

}  // namespace
}  // namespace ordo::cli
