#include "timing/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/timing/fake_field.h"

namespace ordo::timing {
namespace {

using testing::HasSubstr;

Selection selectionOf(FakeField& field, double budget_s = 90, std::uint64_t seed = 1) {
  SelectionOptions options;
  options.budget_s = budget_s;
  options.seed = seed;
  options.stop = &field.stop;
  FieldExperiment experiment(field, field.clock(), {.resamples = 400, .stop = &field.stop});
  Result<Selection> selection = select(experiment, field.clock(), options);
  EXPECT_TRUE(selection) << selection.error().message;
  return std::move(*selection);
}

TEST(SelectionTest, WhatIsFasterTwiceIsChosen) {
  FakeField field({0, -0.02, 0.1, 0.01, 0, 0, 0, 0});
  const Selection selection = selectionOf(field);
  EXPECT_EQ(selection.verdict, Verdict::kBetter) << selection.why;
  EXPECT_EQ(selection.candidate, 2u);
  EXPECT_EQ(field.rebuilds, 1u);
  EXPECT_EQ(selection.trials, 2u);
  EXPECT_NEAR(selection.last.effect->value, std::log(1.1), 0.02);
  EXPECT_LE(field.clock().seconds(), 100);
}

// The best of many equal ones always looks good.
TEST(SelectionTest, OfEqualOnesNoneIsChosen) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    FakeField field(std::vector<double>(24, 0.0), seed);
    const Selection selection = selectionOf(field, 90, seed);
    EXPECT_NE(selection.verdict, Verdict::kBetter) << seed;
    EXPECT_TRUE(selection.candidate);
  }
}

TEST(SelectionTest, LuckOfALayoutDoesNotPass) {
  FakeField field({0.08, 0, 0, 0});
  field.gains_anew[0] = 0;
  const Selection selection = selectionOf(field);
  EXPECT_EQ(selection.verdict, Verdict::kNoDifference);
  EXPECT_THAT(selection.why, HasSubstr("faster in a first trial, but not on fresh builds"));
  EXPECT_EQ(selection.candidate, 0u);
}

TEST(SelectionTest, WhoComesSecondHasATrialToo) {
  FakeField field({0.3, 0.1, 0, 0});
  field.gains_anew[0] = 0;
  const Selection selection = selectionOf(field, 200);
  EXPECT_EQ(selection.verdict, Verdict::kBetter) << selection.why;
  EXPECT_EQ(selection.candidate, 1u);
  EXPECT_EQ(selection.trials, 4u);
}

TEST(SelectionTest, IfAllAreSlowerThatIsSaid) {
  FakeField field({-0.1, -0.2});
  const Selection selection = selectionOf(field);
  EXPECT_EQ(selection.verdict, Verdict::kWorse);
  EXPECT_EQ(selection.candidate, 0u);
  EXPECT_EQ(selection.trials, 1u);
}

// As repeats of a void first trial do.
TEST(SelectionTest, WhatTakesLongBetweenTrialsTakesNothingFromTheSecond) {
  FakeField field({0.1, 0, 0, 0});
  field.rebuild_s = 40;
  const Selection selection = selectionOf(field, 60);
  EXPECT_EQ(selection.verdict, Verdict::kBetter) << selection.why;
  EXPECT_EQ(selection.trials, 2u);
}

TEST(SelectionTest, WhatCannotBeTheResultGivesWayToTheNext) {
  FakeField field({0.3, 0.1, 0, 0});
  field.problems = {0};
  const Selection selection = selectionOf(field);
  EXPECT_EQ(selection.verdict, Verdict::kBetter) << selection.why;
  EXPECT_EQ(selection.candidate, 1u);
  EXPECT_EQ(selection.trials, 2u);
  EXPECT_EQ(selection.standings.front().candidate, 0u);
  EXPECT_EQ(selection.standings.front().failure, "not the same again");
}

TEST(SelectionTest, IfNoneCanBeTheResultThereIsNoTrial) {
  FakeField field({0.3, 0.1});
  field.problems = {0, 1};
  const Selection selection = selectionOf(field);
  EXPECT_EQ(selection.verdict, Verdict::kVoid);
  EXPECT_FALSE(selection.candidate);
  EXPECT_EQ(selection.why, "the best was refused: not the same again");
  EXPECT_EQ(selection.trials, 0u);
}

TEST(SelectionTest, WithoutOneThatDoesTheSameThereIsNoTrial) {
  FakeField field({0.5, 0.5});
  field.wrong = {0, 1};
  const Selection selection = selectionOf(field);
  EXPECT_EQ(selection.verdict, Verdict::kVoid);
  EXPECT_FALSE(selection.candidate);
  EXPECT_EQ(selection.why, "no candidate does what the baseline does");
  EXPECT_EQ(selection.trials, 0u);
}

// Wherever it is interrupted, nothing is chosen that did not win twice.
TEST(SelectionTest, AnInterruptionKeepsThePromise) {
  FakeField whole({0, 0.5});
  selectionOf(whole);
  std::size_t total = 0;
  for (const auto& [candidate, runs] : whole.runs) total += runs;
  ASSERT_GT(total, 50u);
  for (std::size_t at = 1; at < 500; at += 20) {
    FakeField field({0, 0.5});
    field.stop_after = at;
    const Selection selection = selectionOf(field);
    if (!field.stop) break;
    EXPECT_TRUE(selection.verdict == Verdict::kVoid || field.rebuilds == 1) << at << selection.why;
    EXPECT_FALSE(selection.why.empty());
  }
}

TEST(SelectionTest, TheLeastBudgetIsEnoughForBothTrials) {
  FakeField field({0.5, 0, 0, 0});
  const double least_s = leastSelectionSeconds(0.1);
  const Selection selection = selectionOf(field, 1.1 * least_s);
  EXPECT_EQ(selection.verdict, Verdict::kBetter) << selection.why;
  FakeField hasty({0.5, 0, 0, 0});
  EXPECT_EQ(selectionOf(hasty, 0.5 * least_s).verdict, Verdict::kVoid);
}

}  // namespace
}  // namespace ordo::timing
