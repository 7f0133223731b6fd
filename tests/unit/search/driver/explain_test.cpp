#include "search/driver/explain.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

std::unique_ptr<Evaluator> openEvaluator(fakes::ToyBackend& backend, const env::SessionSpec& spec,
                                         Objective objective = {.metric = "count", .screen = ""}) {
  auto opened = Evaluator::open(backend, spec, std::move(objective));
  return *std::move(opened);
}

TEST(ExplainTest, SaysWhatEachActionSaves) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(101, {"enable", "dec", "noop"}));
  const auto contributions = explain(*evaluator, evaluator->evaluateOne({0, 1, 2, 1}));
  ASSERT_EQ(contributions.size(), 4u);
  EXPECT_EQ(contributions[0].delta, 3) << "two decs of 3 and the price of 1, instead of two of 1";
  EXPECT_EQ(contributions[1].delta, 3);
  EXPECT_EQ(contributions[2].delta, 0);
  EXPECT_EQ(contributions[2].index, 2u);
  EXPECT_EQ(contributions[2].action, 2u);
  EXPECT_EQ(contributions[3].delta, 3);
}

TEST(ExplainTest, MeasuresEvenWhatScreeningWouldRuleOut) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(400, {"halve-if-multiple-of-4"}),
                                 {.metric = "cost", .screen = "count", .screen_margin = 0});
  const auto contributions = explain(*evaluator, evaluator->evaluateOne({0, 0}));
  ASSERT_EQ(contributions.size(), 2u);
  EXPECT_GT(contributions[0].delta, 900);
}

TEST(ExplainTest, SaysHowItFailsWithoutAnAction) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"dec", "noop"}));
  const Evaluation winner = evaluator->evaluateOne({0, 1});
  evaluator->limit({.evaluations = 2});
  const auto contributions = explain(*evaluator, winner);
  EXPECT_EQ(contributions.size(), 1u) << "the budget ended";
}

}  // namespace
}  // namespace ordo::search
