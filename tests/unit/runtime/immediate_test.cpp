#include "runtime/immediate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/timing/fake_field.h"
#include "timing/selection.h"

namespace ordo::runtime {
namespace {

using search::Sequence;
using timing::FakeField;
using timing::Verdict;

// A world in which what an action is worth is known: of 40 actions some have a gain, which add up, and the
// others change the program but not its time. The features are the actions.
class FakeWorkshop final : public Workshop {
 public:
  static constexpr std::size_t kActions = 40;

  explicit FakeWorkshop(std::map<env::ActionIndex, double> gains, std::uint64_t seed)
      : gains_(std::move(gains)), rng_(seed), field_({}, seed) {}

  Result<std::vector<Proposal>> propose(const Sequence& start, std::size_t wanted) override {
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; i < wanted; ++i) {
      Sequence actions = start;
      for (std::size_t more = rng_.between(1, 3); more > 0; --more)
        actions.push_back(static_cast<env::ActionIndex>(rng_.below(kActions)));
      std::vector<double> features(kActions);
      for (const env::ActionIndex action : actions) ++features[action];
      proposals.push_back({std::move(actions), std::move(features)});
    }
    return proposals;
  }

  // Programs with the same set of actions have the same code.
  Result<Added> add(const Sequence& actions) override {
    const std::set<env::ActionIndex> code(actions.begin(), actions.end());
    const auto [known, is_new] = codes_.try_emplace(code, field_.size());
    if (unbuildable) return Added{};
    if (!is_new) return Added{Added::Code::kKnown, known->second};
    field_.add(gain(actions));
    if (wrong_action && code.contains(*wrong_action)) field_.wrong.insert(known->second);
    return Added{Added::Code::kNew, known->second};
  }
  FakeField& field() override { return field_; }

  double gain(const Sequence& actions) const {
    double sum = 0;
    for (const env::ActionIndex action : std::set(actions.begin(), actions.end())) {
      const auto found = gains_.find(action);
      if (found != gains_.end()) sum += found->second;
    }
    return sum;
  }

  bool unbuildable = false;
  std::optional<env::ActionIndex> wrong_action;

 private:
  std::map<env::ActionIndex, double> gains_;
  Rng rng_;
  FakeField field_;
  std::map<std::set<env::ActionIndex>, std::size_t> codes_;
};

Result<timing::Selection> selectFrom(timing::Field& candidates, FakeField& field, double budget_s,
                                     std::uint64_t seed) {
  timing::FieldExperiment experiment(candidates, field.clock(), {.resamples = 400, .stop = &field.stop});
  return timing::select(experiment, field.clock(), {.budget_s = budget_s, .seed = seed, .stop = &field.stop});
}

// What came of a whole run of `budget_s` of the simulated clock, in which nothing but runs takes time: equal
// budgets are equal numbers of runs.
struct Outcome {
  timing::Verdict verdict;
  double gain = 0;  // true, of what was chosen; 0 for the baseline
  ImmediateResult search = {};
};

Outcome immediately(FakeWorkshop& workshop, double budget_s, std::uint64_t seed) {
  FakeField& field = workshop.field();
  const auto found = searchByTime(workshop, {}, field.clock(),
                                  {.budget_s = budget_s / 2, .seed = seed, .stop = &field.stop});
  EXPECT_TRUE(found) << found.error().message;
  ChosenField chosen(field, found->leaders);
  const auto selection = selectFrom(chosen, field, budget_s / 2, seed);
  EXPECT_TRUE(selection) << selection.error().message;
  const bool won = selection->verdict == timing::Verdict::kBetter;
  return {selection->verdict, won ? field.gain(chosen.original(*selection->candidate)) : 0, *found};
}

// As runtime/faster.cpp does with final rewards: a draft around the baseline, a race and trials.
Outcome finally(FakeWorkshop& workshop, double budget_s, std::uint64_t seed) {
  FakeField& field = workshop.field();
  const auto drafted = workshop.propose({}, 24);
  for (const Proposal& proposal : *drafted) EXPECT_TRUE(workshop.add(proposal.actions));
  const auto selection = selectFrom(field, field, budget_s, seed);
  EXPECT_TRUE(selection) << selection.error().message;
  const bool won = selection->verdict == timing::Verdict::kBetter;
  return {selection->verdict, won ? field.gain(*selection->candidate) : 0};
}

// Four actions of 40 are worth 4 % each. All of them are hardly ever drawn at once; what is measured leads to
// them one by one.
TEST(ImmediateTest, FindsWhatFinalRewardsMissInAsManyRuns) {
  double immediate = 0, final = 0;
  int farther = 0;
  constexpr int kRounds = 12;
  for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
    const std::map<env::ActionIndex, double> gains{{3, 0.04}, {11, 0.04}, {19, 0.04}, {27, 0.04}};
    FakeWorkshop one(gains, seed), other(gains, seed);
    const Outcome now = immediately(one, 120, seed), later = finally(other, 120, seed);
    EXPECT_LE(one.field().clock().seconds(), 1.15 * 120);
    immediate += now.gain / kRounds;
    final += later.gain / kRounds;
    farther += now.gain > later.gain + 0.03;
  }
  // In the report of the test (--gtest_output), for docs/timing.md.
  RecordProperty("immediate", fmt::format("{:.4f}", immediate));
  RecordProperty("final", fmt::format("{:.4f}", final));
  EXPECT_GT(immediate, 0.1);
  EXPECT_LT(final, 0.08);
  EXPECT_GE(farther, kRounds * 2 / 3);
}

TEST(ImmediateTest, OfEqualProgramsNoneIsClaimedToBeFaster) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    FakeWorkshop workshop({}, seed);
    EXPECT_NE(immediately(workshop, 90, seed).verdict, timing::Verdict::kBetter) << seed;
  }
}

// Predictions count as they were before the pair was known, so that of noise there is nothing to be right
// about, however well the model fits afterwards.
TEST(ImmediateTest, TheRankCorrelationIsOfWhatWasSaidBefore) {
  double with_effect = 0, without = 0;
  constexpr int kRounds = 12;
  for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
    FakeWorkshop planted({{3, 0.05}, {11, 0.05}, {19, -0.05}, {27, -0.05}, {35, -0.05}}, seed);
    FakeWorkshop equal({}, seed);
    for (auto [workshop, sum] : {std::pair{&planted, &with_effect}, std::pair{&equal, &without}}) {
      const auto found = searchByTime(*workshop, {}, workshop->field().clock(), {.seed = seed});
      ASSERT_TRUE(found);
      EXPECT_GT(found->rewards.predicted, 20u);
      *sum += found->rewards.rank_correlation / kRounds;
    }
  }
  // Most of what is run was chosen for its prediction, and two noisy pairs are all that is known of it.
  EXPECT_GT(with_effect, 0.2);
  EXPECT_LT(std::abs(without), 0.15);
}

TEST(ImmediateTest, KnownCodeIsNotRunAgain) {
  FakeWorkshop workshop({{3, 0.05}}, 1);
  const auto found = searchByTime(workshop, {}, workshop.field().clock(), {.budget_s = 100});
  ASSERT_TRUE(found);
  EXPECT_GT(found->rewards.known, 0u);
  unsigned most = 0;
  for (const auto& [candidate, runs] : workshop.field().runs) most = std::max(most, runs);
  // Two pairs when it is built, and two more each time it is drafted around.
  EXPECT_GE(most, 4u);
  EXPECT_EQ(workshop.field().runs.size(), workshop.field().size());
  ASSERT_FALSE(found->leaders.empty());
  EXPECT_LE(found->leaders.size(), 6u);
  EXPECT_GE(workshop.field().gain(found->leaders.front()), 0.05);
}

TEST(ImmediateTest, WhatDoesSomethingElseIsNoLeaderAndCounted) {
  FakeWorkshop workshop({{3, 0.2}}, 1);
  workshop.wrong_action = 3;
  const auto found = searchByTime(workshop, {}, workshop.field().clock(), {.budget_s = 60});
  ASSERT_TRUE(found);
  EXPECT_GT(found->refused, 0u);
  for (const std::size_t leader : found->leaders) EXPECT_FALSE(workshop.field().wrong.contains(leader));
}

TEST(ImmediateTest, WhereNothingCanBeBuiltItEnds) {
  FakeWorkshop workshop({}, 1);
  workshop.unbuildable = true;
  const auto found = searchByTime(workshop, {}, workshop.field().clock(), {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->leaders.empty());
  EXPECT_EQ(found->rewards.known, 0u);
  EXPECT_TRUE(workshop.field().runs.empty());
}

TEST(ImmediateTest, AnInterruptionEndsIt) {
  FakeWorkshop workshop({}, 1);
  workshop.field().stop_after = 9;
  const auto found =
      searchByTime(workshop, {}, workshop.field().clock(), {.budget_s = 1e6, .stop = &workshop.field().stop});
  ASSERT_TRUE(found);
  EXPECT_LE(workshop.field().size(), 5u);
}

}  // namespace
}  // namespace ordo::runtime
