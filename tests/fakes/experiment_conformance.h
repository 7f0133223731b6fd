// What any env::Experiment promises (env/experiment.h). A test of an implementation calls this with one whose
// candidates are known: much better than the baseline, the same, much worse, and one that fails.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "env/experiment.h"

namespace ordo::fakes {

struct KnownCandidates {
  std::size_t better = 0, same = 1, worse = 2, failing = 3;
};

inline void expectConformance(env::Experiment& experiment, const KnownCandidates& known, double budget_s) {
  ASSERT_EQ(experiment.size(), 4u);
  Rng rng(1);
  double better = 0, worse = 0;
  for (int i = 0; i < 20; ++i) {
    const Result<env::Glance> high = experiment.glance(known.better, rng);
    const Result<env::Glance> low = experiment.glance(known.worse, rng);
    ASSERT_TRUE(high && high->value && low && low->value);
    EXPECT_TRUE(std::isfinite(*high->value) && std::isfinite(*low->value));
    better += *high->value / 20;
    worse += *low->value / 20;
  }
  EXPECT_GT(better, 0);
  EXPECT_LT(worse, 0);
  const Result<env::Glance> failed = experiment.glance(known.failing, rng);
  ASSERT_TRUE(failed) << "a candidate that fails is no error";
  EXPECT_FALSE(failed->value);
  EXPECT_FALSE(failed->failure.empty());

  unsigned progress = 0;
  env::Allowance allowance{.budget_s = budget_s, .seed = 3};
  allowance.on_progress = [&](unsigned done, unsigned planned) {
    ++progress;
    EXPECT_LE(done, planned);
  };
  for (const bool again : {false, true}) {
    const auto ask = [&](std::size_t candidate) {
      if (again) {
        EXPECT_TRUE(experiment.renew(candidate));
      }
      Result<env::Claim> outcome = experiment.ask(candidate, allowance);
      EXPECT_TRUE(outcome) << outcome.error().message;
      EXPECT_FALSE(outcome->why.empty());
      EXPECT_GT(outcome->cost_s, 0);
      if (outcome->effect) {
        EXPECT_LE(outcome->effect->low, outcome->effect->value);
        EXPECT_GE(outcome->effect->high, outcome->effect->value);
        EXPECT_TRUE(outcome->effect->p >= 0 && outcome->effect->p <= 1) << outcome->effect->p;
      }
      return *outcome;
    };
    const env::Claim won = ask(known.better), lost = ask(known.worse);
    EXPECT_EQ(won.verdict, env::Verdict::kBetter) << won.why;
    ASSERT_TRUE(won.effect);
    EXPECT_GT(won.effect->low, 0) << "what is claimed is outside of the interval's end";
    EXPECT_GT(won.baseline.value_or(0), 0);
    EXPECT_EQ(lost.verdict, env::Verdict::kWorse) << lost.why;
    EXPECT_EQ(ask(known.same).verdict, env::Verdict::kNoDifference);
    EXPECT_EQ(ask(known.failing).verdict, env::Verdict::kVoid) << "nothing can be said of what fails";
  }
  EXPECT_GT(progress, 0u);
}

}  // namespace ordo::fakes
