#include "search/evaluation/budget_text.h"

#include <gtest/gtest.h>

namespace ordo::search {
namespace {

TEST(BudgetTest, ReadsTimesAndCounts) {
  EXPECT_EQ(parseBudget("10s")->seconds, 10);
  EXPECT_EQ(parseBudget("10")->seconds, 10);
  EXPECT_EQ(parseBudget("500ms")->seconds, 0.5);
  EXPECT_EQ(parseBudget("2m")->seconds, 120);
  EXPECT_EQ(parseBudget("1.5h")->seconds, 5400);
  EXPECT_EQ(parseBudget("2000evals")->evaluations, 2000);
  EXPECT_EQ(parseBudget("2000evals")->seconds, Budget::kUnlimited);
}

TEST(BudgetTest, CombinesLimits) {
  const Budget budget = *parseBudget("30s,5000evals,1e6passes");
  EXPECT_EQ(budget.seconds, 30);
  EXPECT_EQ(budget.evaluations, 5000);
  EXPECT_EQ(budget.passes, 1e6);
}

TEST(BudgetTest, RefusesNothingAndNonsenseWithTheRemedy) {
  for (const char* text : {"", "0", "0s", "-1s", "s", "10x", "10s,", "nan", "inf", "10 s", "1e999s", ","}) {
    const Result<Budget> budget = parseBudget(text);
    ASSERT_FALSE(budget.has_value()) << text;
    EXPECT_EQ(budget.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(budget.error().message.find("write for example"), std::string::npos);
  }
}

TEST(BudgetTextTest, WhatOneDoesNotNeedGoesToThoseAfterIt) {
  const Budget whole{.seconds = 30, .evaluations = 300};
  const Budget first = shareOfRest(whole, {.seconds = 0, .evaluations = 0, .passes = 0}, 3);
  EXPECT_EQ(first.seconds, 10);
  EXPECT_EQ(first.evaluations, 100);
  EXPECT_EQ(first.passes, Budget::kUnlimited);
  const Budget second = shareOfRest(whole, {.seconds = 2, .evaluations = 20, .passes = 50}, 2);
  EXPECT_EQ(second.seconds, 14);
  EXPECT_EQ(second.evaluations, 140);
  EXPECT_EQ(shareOfRest(whole, {.seconds = 31, .evaluations = 10, .passes = 0}, 1).seconds, 0);
}

}  // namespace
}  // namespace ordo::search
