#include "check/flaky.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace ordo::check {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Objects whose tests answer as they are told to, in turn, and then as the last time.
class FlakyTest : public testing::Test {
 protected:
  using Answers = std::deque<bool>;

  TestCourt court(std::size_t tests) {
    return {tests,
            [this](const std::string& object, const std::vector<std::size_t>& asked) {
              datasets::TestReport report;
              for (const std::size_t test : asked) {
                ++runs_[object];
                Answers& answers = answers_[object][test];
                const bool passed = answers.empty() || answers.front();
                if (answers.size() > 1) answers.pop_front();
                report.results.push_back({std::string(1, static_cast<char>('a' + test)), passed,
                                          passed ? "" : "line 1: expected '1', got '2'", 0});
              }
              return Result<datasets::TestReport>(std::move(report));
            },
            [this]() -> Result<std::string> {
              ++baselines_made_;
              return std::string("baseline");
            }};
  }

  std::map<std::string, std::map<std::size_t, Answers>> answers_;
  std::map<std::string, std::size_t> runs_;
  std::size_t baselines_made_ = 0;
};

TEST_F(FlakyTest, WhatPassesIsAskedOnce) {
  TestCourt asked = court(2);
  const Testimony heard = *asked.hear("x");
  EXPECT_EQ(heard.summary, "2 tests passed");
  EXPECT_EQ(heard.failures, "");
  EXPECT_TRUE(heard.believed);
  EXPECT_EQ(runs_["x"], 2u);
  EXPECT_EQ(baselines_made_, 0u);
}

TEST_F(FlakyTest, AWrongObjectFailsEachTimeAndTheBaselinePasses) {
  answers_["x"][1] = {false};
  TestCourt asked = court(2);
  const Testimony heard = *asked.hear("x");
  EXPECT_EQ(heard.failures, "1 of 2 tests failed: b: line 1: expected '1', got '2'");
  EXPECT_TRUE(heard.believed);
  EXPECT_THAT(asked.flaky(), IsEmpty());
  EXPECT_GT(runs_["baseline"], 1u);
}

TEST_F(FlakyTest, ATestThatContradictsItselfOnOneObjectIsNotBelieved) {
  answers_["x"][1] = {false, false, true};
  TestCourt asked = court(2);
  const Testimony heard = *asked.hear("x");
  EXPECT_EQ(heard.summary, "1 test passed; flaky, so not believed: b");
  EXPECT_EQ(heard.failures, "");
  EXPECT_TRUE(heard.believed);
  EXPECT_THAT(asked.flaky(),
              ElementsAre(HasSubstr("b is flaky: on one object, the same each time, it passed 1 "
                                    "and failed 2 of 3 times")));
  // Neither the next time, whatever it says.
  answers_["y"][1] = {false};
  EXPECT_EQ(asked.hear("y")->failures, "");
  EXPECT_EQ(asked.flaky().size(), 1u);
}

TEST_F(FlakyTest, ATestThatContradictsItselfOnTheBaselineIsNotBelieved) {
  answers_["x"][0] = {false};
  answers_["baseline"][0] = {true, false};
  TestCourt asked = court(1);
  const Testimony heard = *asked.hear("x");
  EXPECT_EQ(heard.failures, "");
  EXPECT_FALSE(heard.believed);
  EXPECT_EQ(heard.summary, "flaky, so not believed: a");
  EXPECT_THAT(asked.flaky(), ElementsAre(HasSubstr("on the baseline's object")));
}

// What the fifth candidate passed by luck was taken without a word.
TEST_F(FlakyTest, LuckAfterOthersFailedIsFoundOut) {
  for (const char* object : {"1", "2", "3", "4"}) answers_[object][0] = {false};
  answers_["5"][0] = {true, false};
  TestCourt asked = court(1);
  for (const char* object : {"1", "2", "3", "4"}) EXPECT_NE(asked.hear(object)->failures, "") << object;
  EXPECT_EQ(baselines_made_, 1u);
  const Testimony heard = *asked.hear("5");
  EXPECT_FALSE(heard.believed);
  EXPECT_THAT(asked.flaky(), ElementsAre(HasSubstr("a is flaky")));
}

TEST_F(FlakyTest, WhatFailsOnTheBaselineTooStaysAFailure) {
  answers_["x"][0] = answers_["baseline"][0] = {false};
  TestCourt asked = court(1);
  EXPECT_NE(asked.hear("x")->failures, "");
  EXPECT_NE(asked.hear("baseline")->failures, "");
  EXPECT_THAT(asked.flaky(), IsEmpty());
}

}  // namespace
}  // namespace ordo::check
