#include "timing/session_experiment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fakes/experiment_conformance.h"
#include "tests/fakes/silent_session.h"
#include "tests/fakes/toy_experiment.h"

namespace ordo::timing {
namespace {

// Takes `truth` times what chance makes of it, and as long.
class NoisySession final : public fakes::SilentSession {
 public:
  NoisySession(double truth, std::uint64_t seed, fakes::ToyExperiment::ToyClock& clock, double noise = 0.02)
      : truth_(truth), noise_(noise), rng_(seed), clock_(clock) {}

  Result<env::Measurement> measure(std::string_view) override {
    clock_.now_s += 0.1;
    if (std::isnan(truth_))
      return env::Measurement{env::StepStatus::kVerifierFailed, 0, "element 3 is wrong"};
    return env::Measurement{env::StepStatus::kOk, truth_ * (1 + noise_ * rng_.uniform()), ""};
  }
  Result<std::unique_ptr<env::Session>> fork() override { return std::make_unique<NoisySession>(*this); }

 private:
  double truth_, noise_;
  Rng rng_;
  fakes::ToyExperiment::ToyClock& clock_;
};

TEST(SessionExperiment, KeepsThePromisesOfAnExperiment) {
  fakes::ToyExperiment::ToyClock clock;
  // Of twenty seeds one claims that the same is different, which is the chance that claims have.
  NoisySession baseline(1, 1, clock), better(0.8, 2, clock), same(1, 13, clock), worse(1.3, 4, clock),
      failing(std::nan(""), 5, clock);
  SessionExperiment experiment(baseline, {&better, &same, &worse, &failing}, "time", clock);
  fakes::expectConformance(experiment, {}, 20);
}

// Of a clock with few ticks.
TEST(SessionExperiment, BlocksThatAllSayTheSameAreNoRiddle) {
  fakes::ToyExperiment::ToyClock clock;
  NoisySession baseline(1, 1, clock, 0), candidate(0.5, 2, clock, 0);
  SessionExperiment experiment(baseline, {&candidate}, "time", clock);
  const Result<env::Claim> claim = experiment.ask(0, {.budget_s = 5});
  ASSERT_TRUE(claim && claim->effect);
  EXPECT_EQ(claim->verdict, env::Verdict::kBetter);
  EXPECT_NEAR(claim->effect->low, std::log(2.0), 1e-9);
  EXPECT_NEAR(claim->effect->high, std::log(2.0), 1e-9);
}

// As on a machine that has other things to do: two of five runs take up to ten times as long.
class DisturbedSession final : public fakes::SilentSession {
 public:
  DisturbedSession(double truth, std::uint64_t seed, fakes::ToyExperiment::ToyClock& clock)
      : truth_(truth), rng_(seed), clock_(clock) {}

  Result<env::Measurement> measure(std::string_view) override {
    clock_.now_s += 0.1;
    const double slower = rng_.chance(0.4) ? 1 + 9 * rng_.uniform() : 1;
    return env::Measurement{env::StepStatus::kOk, truth_ * slower, ""};
  }
  Result<std::unique_ptr<env::Session>> fork() override { return std::make_unique<DisturbedSession>(*this); }

 private:
  double truth_;
  Rng rng_;
  fakes::ToyExperiment::ToyClock& clock_;
};

TEST(SessionExperiment, WhatIsTwiceAsFastIsShownInNoiseByGoingOn) {
  int at_once = 0, in_the_end = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const unsigned looks : {1u, 4u}) {
      fakes::ToyExperiment::ToyClock clock;
      DisturbedSession baseline(1, 100 + seed, clock), candidate(0.5, 200 + seed, clock);
      SessionExperiment experiment(baseline, {&candidate}, "time", clock, looks);
      const Result<env::Claim> claim = experiment.ask(0, {.budget_s = 1, .seed = seed});
      ASSERT_TRUE(claim);
      (looks == 1 ? at_once : in_the_end) += claim->verdict == env::Verdict::kBetter;
      if (claim->verdict == env::Verdict::kNoDifference && claim->effect->value > 0) {
        EXPECT_NE(claim->why.find(" s more might show it"), std::string::npos) << claim->why;
      }
    }
  }
  EXPECT_LT(at_once, 15);
  EXPECT_GE(in_the_end, 19);
}

TEST(SessionExperiment, LookingAgainMakesNoMoreFalseClaims) {
  int claims = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    fakes::ToyExperiment::ToyClock clock;
    DisturbedSession baseline(1, 300 + seed, clock), candidate(1, 500 + seed, clock);
    SessionExperiment experiment(baseline, {&candidate}, "time", clock, 4);
    claims += experiment.ask(0, {.budget_s = 1, .seed = seed})->verdict != env::Verdict::kNoDifference;
  }
  // Five are allowed; twelve or more come by chance once in two hundred times.
  EXPECT_LT(claims, 12);
}

TEST(SessionExperiment, ABaselineThatFailsIsAnError) {
  fakes::ToyExperiment::ToyClock clock;
  NoisySession baseline(std::nan(""), 1, clock), candidate(1, 2, clock);
  SessionExperiment experiment(baseline, {&candidate}, "time", clock);
  EXPECT_EQ(experiment.ask(0, {}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::timing
