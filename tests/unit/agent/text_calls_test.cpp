#include "agent/text_calls.h"

#include <gtest/gtest.h>

namespace ordo::agent {
namespace {

TEST(TextCallsTest, CallsStandBetweenTheirMarks) {
  const auto calls = textCalls(
      R"(<think>first</think><tool_call>{"name": "measure_sequence", "arguments": {"sequence": ["sroa"]}}</tool_call>
and <tool_call>{"name": "get_features"}</tool_call>)");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0]["name"], "measure_sequence");
  EXPECT_EQ(calls[0]["arguments"]["sequence"], Json::array({"sroa"}));
  EXPECT_EQ(calls[1]["arguments"], Json::object());
}

TEST(TextCallsTest, AnAnswerIsASubmission) {
  const auto calls = textCalls(R"(<answer>["sroa", "gvn"]</answer>)");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0]["name"], "submit_sequence");
  EXPECT_EQ(calls[0]["arguments"]["sequence"], Json::array({"sroa", "gvn"}));
}

TEST(TextCallsTest, WhatIsNoJsonIsACallThatCannotBeMade) {
  for (const char* text : {"<tool_call>nonsense</tool_call>", "<tool_call>", "<tool_call>[1]</tool_call>",
                           R"(<tool_call>{"name": 5}</tool_call>)"}) {
    const auto calls = textCalls(text);
    ASSERT_EQ(calls.size(), 1u) << text;
    EXPECT_EQ(calls[0]["name"], "");
    EXPECT_TRUE(calls[0]["arguments"].is_string());
  }
  EXPECT_TRUE(textCalls("no call at all </tool_call>").empty());
}

}  // namespace
}  // namespace ordo::agent
