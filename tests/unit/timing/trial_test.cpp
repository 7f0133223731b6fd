#include "timing/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/timing/fake_runner.h"

namespace ordo::timing {
namespace {

using testing::HasSubstr;

Trial trialOn(const Machine& machine, std::uint64_t seed, TrialOptions options = {.resamples = 400}) {
  FakeRunner runner(machine, seed);
  options.seed = seed;
  Result<Trial> trial = runTrial(runner, runner.clock, options);
  EXPECT_TRUE(trial) << trial.error().message;
  return std::move(*trial);
}

Machine withGain(double gain) {
  Machine machine;
  machine.factor[1] = 1 / (1 + gain);
  return machine;
}

struct Tally {
  int faster = 0, slower = 0, none = 0, voided = 0, covered = 0;
  double blocks = 0;

  void add(const Trial& trial, double truth) {
    faster += trial.verdict == Verdict::kBetter;
    slower += trial.verdict == Verdict::kWorse;
    none += trial.verdict == Verdict::kNoDifference;
    voided += trial.verdict == Verdict::kVoid;
    covered += trial.candidate.low <= truth && truth <= trial.candidate.high;
    blocks += static_cast<double>(trial.evidence.candidate.size());
  }
};

Tally tally(const Machine& machine, int trials, const TrialOptions& options, double truth = 0) {
  Tally tally;
  for (int i = 0; i < trials; ++i)
    tally.add(trialOn(machine, 1000u + static_cast<unsigned>(i), options), truth);
  return tally;
}

// What the promise is about: equal programs, on a machine whose load comes and goes, with outliers and a
// drift. The rate is allowed two standard errors of 1,000 trials beyond 2.5 %; measured: see docs/timing.md.
TEST(TrialTest, EqualProgramsAreRarelyCalledDifferent) {
  Machine loaded;
  loaded.outliers = 0.2;
  loaded.jitter = 0.05;
  Machine drifting;
  drifting.drift_per_s = 0.001;
  for (const Machine& machine : {Machine{}, loaded, drifting}) {
    // Without the margin, so that it is the intervals that are tested and not it.
    const Tally strict = tally(machine, 1000, {.least_effect = 0, .resamples = 400});
    EXPECT_LE(strict.faster, 35);
    EXPECT_LE(strict.slower, 35);
    EXPECT_GE(strict.covered, 936);
  }
}

TEST(TrialTest, EqualProgramsAreHardlyEverClaimedToDifferByMoreThanTheMargin) {
  const Tally found = tally(Machine{}, 1000, {.resamples = 400});
  EXPECT_LE(found.faster + found.slower, 10);
}

// The reach of the project: a true gain of 3 % for a program of 100 ms, within 60 s, nine times in ten.
TEST(TrialTest, AGainOfThreePercentIsFound) {
  const Tally found = tally(withGain(0.03), 200, {.resamples = 400}, std::log(1.03));
  EXPECT_GE(found.faster, 180);
  EXPECT_EQ(found.slower, 0);
  EXPECT_GE(found.covered, 184);  // of 95 % less two standard errors
}

TEST(TrialTest, ALossIsFoundToo) { EXPECT_EQ(trialOn(withGain(-0.05), 3).verdict, Verdict::kWorse); }

TEST(TrialTest, WhatIsClearIsKnownEarly) {
  const Trial trial = trialOn(withGain(0.5), 1);
  EXPECT_EQ(trial.verdict, Verdict::kBetter);
  EXPECT_LE(trial.evidence.candidate.size(), trial.planned / 2);
  EXPECT_LT(pValue(trial, {}), 1e-4);
  EXPECT_EQ(pValue(trialOn(Machine{}, 1), {}), 1);
}

// A p-value is at most twice alpha exactly when the claim was made.
TEST(TrialTest, PValuesAgreeWithVerdicts) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const TrialOptions options{.seed = seed, .resamples = 400};
    const Trial trial = trialOn(withGain(0.012), seed, options);
    const bool claim = trial.verdict == Verdict::kBetter || trial.verdict == Verdict::kWorse;
    EXPECT_EQ(pValue(trial, options) <= 0.05, claim) << seed;
  }
}

TEST(TrialTest, BlocksGoThereAndBack) {
  FakeRunner runner(Machine{}, 5);
  ASSERT_TRUE(runTrial(runner, runner.clock, {.runs = 2, .resamples = 100}));
  constexpr std::size_t kRuns = 2, kBlock = 2 * kArms * kRuns;
  ASSERT_EQ(runner.order.size() % kBlock, 0u);
  bool orders_differ = false;
  for (std::size_t begin = 0; begin < runner.order.size(); begin += kBlock) {
    const std::vector<Arm> block(runner.order.begin() + static_cast<std::ptrdiff_t>(begin),
                                 runner.order.begin() + static_cast<std::ptrdiff_t>(begin + kBlock));
    for (std::size_t i = 0; i < kBlock; ++i) EXPECT_EQ(block[i], block[kBlock - 1 - i]);
    for (const Arm arm : {Arm::kBaseline, Arm::kCandidate, Arm::kTwin})
      EXPECT_EQ(std::ranges::count(block, arm), 4);
    orders_differ |= block.front() != runner.order.front();
  }
  EXPECT_TRUE(orders_differ);
}

// A drift of 0.5 % a second moves a mean of all baselines after all candidates by as much as is looked for;
// here it moves nothing.
TEST(TrialTest, ASteadyDriftCancels) {
  Machine machine{.jitter = 0.0001, .outliers = 0, .wander = 0, .drift_per_s = 0.0015};
  const Trial trial = trialOn(machine, 2);
  EXPECT_EQ(trial.verdict, Verdict::kNoDifference) << trial.why;
  EXPECT_NEAR(trial.candidate.value, 0, 1e-4);
  EXPECT_GT(trial.drift, 0.01);
}

TEST(TrialTest, ATwinThatDiffersMakesItVoid) {
  Machine machine = withGain(0.1);
  machine.factor[2] = 1.03;
  const Trial trial = trialOn(machine, 1);
  EXPECT_EQ(trial.verdict, Verdict::kVoid);
  EXPECT_THAT(trial.why, HasSubstr("a copy of the baseline differs"));
  EXPECT_TRUE(trial.repeatable);
}

TEST(TrialTest, LoadAndChangeMakeItVoid) {
  Machine busy;
  busy.others = 0.95;
  EXPECT_THAT(trialOn(busy, 1).why, HasSubstr("others had 95 % of the processor"));
  busy.others = 0.3;
  EXPECT_NE(trialOn(busy, 1).verdict, Verdict::kVoid);
  EXPECT_EQ(trialOn(busy, 1, {.quantity = Quantity::kWall, .resamples = 400}).verdict, Verdict::kVoid);
  Machine changing;
  changing.drift_per_s = 0.02;
  EXPECT_THAT(trialOn(changing, 1).why, HasSubstr("the baseline itself changed"));
}

TEST(TrialTest, AProgramThatFailsEndsIt) {
  FakeRunner runner(Machine{}, 1);
  runner.fail_at = 100;
  const Result<Trial> trial = runTrial(runner, runner.clock, {});
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->verdict, Verdict::kVoid);
  EXPECT_EQ(trial->why, "exited with status 1");
  EXPECT_FALSE(trial->repeatable);
  EXPECT_EQ(runner.order.size(), 100u);
}

TEST(TrialTest, ABudgetDecidesHowManyBlocksAndRuns) {
  EXPECT_NEAR(trialOn(Machine{}, 1).planned, 31, 3);  // 60 s of 18 runs of a little more than 0.1 s
  Machine slow{.base_s = 0.8};
  const Trial few = trialOn(slow, 1);
  EXPECT_EQ(few.runs, 1u);
  EXPECT_NEAR(few.planned, 12, 1);
  slow.base_s = 3;
  const Trial none = trialOn(slow, 1);
  EXPECT_EQ(none.verdict, Verdict::kVoid);
  EXPECT_THAT(none.why, HasSubstr("there is enough in "));
  // What is said is enough, whatever part of a budget a trial is given.
  for (const double share : {1.0, 0.2}) {
    const std::string why = trialOn(slow, 1, {.share = share}).why;
    const double said_s = std::stod(why.substr(why.find("enough in ") + 10));
    EXPECT_GE(trialOn(slow, 1, {.budget_s = said_s * share, .share = share}).planned, kFewestBlocks) << why;
  }
  Machine quick{.base_s = 0.0001};
  EXPECT_EQ(trialOn(quick, 1).planned, kMostBlocks);
}

TEST(TrialTest, WhoHasNothingLeftSaysSo) {
  for (const double budget_s : {0.0, -3.0}) {
    const Trial trial = trialOn({}, 1, {.budget_s = budget_s});
    EXPECT_EQ(trial.verdict, Verdict::kVoid);
    EXPECT_EQ(trial.planned, 0u);
    EXPECT_THAT(trial.why, HasSubstr("only 0 blocks fit into its time"));
  }
}

TEST(TrialTest, WhatIsKnownWhenItIsStoppedIsKept) {
  for (const unsigned at : {3u, 14u}) {
    FakeRunner runner(withGain(0.5), 1);
    std::atomic<bool> stop = false;
    TrialOptions options{.seed = 1, .resamples = 400, .stop = &stop};
    options.on_block = [&](unsigned done, unsigned) { stop = done >= at; };
    // Too large for a look to end it first.
    options.least_effect = 0.4;
    const Result<Trial> trial = runTrial(runner, runner.clock, options);
    ASSERT_TRUE(trial);
    EXPECT_TRUE(trial->stopped);
    EXPECT_EQ(trial->evidence.candidate.size(), at);
    EXPECT_EQ(trial->verdict == Verdict::kVoid, at == 3) << trial->why;
  }
}

TEST(TrialTest, WhatIsNotCountedIsAnError) {
  FakeRunner runner(Machine{}, 1);
  const Result<Trial> trial = runTrial(runner, runner.clock, {.quantity = Quantity::kCycles});
  ASSERT_FALSE(trial);
  EXPECT_EQ(trial.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(trial.error().message, HasSubstr("there are none"));
}

}  // namespace
}  // namespace ordo::timing
