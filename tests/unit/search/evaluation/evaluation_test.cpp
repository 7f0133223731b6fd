#include "search/evaluation/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordo::search {
namespace {

Evaluation measured(double value, double screen, std::uint64_t number = 0) {
  Evaluation result;
  result.verdict = Verdict::kMeasured;
  result.value = value;
  result.screen = screen;
  result.number = number;
  return result;
}

Evaluation screened(double screen) {
  Evaluation result;
  result.verdict = Verdict::kScreened;
  result.screen = screen;
  return result;
}

TEST(EvaluationTest, RanksByWorthAndThenByAge) {
  EXPECT_TRUE(ranksBefore(measured(1, 9, 2), measured(2, 1, 1)));
  EXPECT_TRUE(ranksBefore(measured(1, 9, 1), measured(1, 1, 2)));
  EXPECT_FALSE(ranksBefore(measured(1, 9, 1), measured(1, 9, 1)));
  EXPECT_TRUE(ranksBefore(measured(9, 9), screened(1)));
}

TEST(EvaluationTest, RelativeCostIsByTheMetricThatBothHave) {
  EXPECT_EQ(relativeCost(measured(90, 50), measured(100, 10)), 0.9);
  EXPECT_EQ(relativeCost(screened(30), measured(100, 10)), 3);
  EXPECT_EQ(relativeCost(measured(100, 10), screened(20)), 0.5);
  EXPECT_TRUE(std::isinf(relativeCost(Evaluation{}, measured(100, 10))));
}

TEST(EvaluationTest, RelativeCostOfNothingIsStillOrdered) {
  EXPECT_EQ(relativeCost(measured(0, 0), measured(0, 0)), 1);
  EXPECT_TRUE(std::isinf(relativeCost(measured(1, 0), measured(0, 0))));
  EXPECT_EQ(relativeCost(measured(0, 0), measured(5, 0)), 0);
}

}  // namespace
}  // namespace ordo::search
