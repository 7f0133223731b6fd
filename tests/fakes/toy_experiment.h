// An experiment of random numbers: each candidate has a true value, a glance is that with noise, and an
// answer is as sure as its budget lets it be. No program is run, and no clock moves but its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "env/experiment.h"
#include "support/clock.h"

namespace ordo::fakes {

class ToyExperiment final : public env::Experiment {
 public:
  // `truth`: log-ratios; a NaN is a candidate that fails.
  explicit ToyExperiment(std::vector<double> truth, double noise = 0.03)
      : truth_(std::move(truth)), noise_(noise) {}

  std::size_t size() const override { return truth_.size(); }

  Result<env::Glance> glance(std::size_t candidate, Rng& rng) override {
    clock.now_s += kGlance_s;
    if (std::isnan(truth_[candidate])) return env::Glance{std::nullopt, "other output"};
    return env::Glance{truth_[candidate] + noise_ * normal(rng)};
  }

  Result<env::Claim> ask(std::size_t candidate, const env::Allowance& allowance) override {
    ++answers;
    Rng rng(allowance.seed + 77 * grounds_);
    const double looks = std::max(1.0, std::floor(allowance.budget_s / kGlance_s));
    env::Claim outcome;
    outcome.cost_s = looks * kGlance_s;
    clock.now_s += outcome.cost_s;
    if (allowance.on_progress) allowance.on_progress(1, 1);
    if (std::isnan(truth_[candidate])) {
      outcome.why = "other output";
      return outcome;
    }
    const double error = noise_ / std::sqrt(looks), value = truth_[candidate] + error * normal(rng);
    outcome.effect = {value, value - 4 * error, value + 4 * error, std::erfc(std::abs(value) / error)};
    outcome.baseline = 1;
    outcome.verdict = outcome.effect->low > 0    ? env::Verdict::kBetter
                      : outcome.effect->high < 0 ? env::Verdict::kWorse
                                                 : env::Verdict::kNoDifference;
    outcome.why = "as random numbers say";
    return outcome;
  }

  Status renew(std::size_t) override {
    ++grounds_;
    return {};
  }

  struct ToyClock final : Clock {
    double now_s = 0;
    double seconds() const override { return now_s; }
  };
  ToyClock clock;
  unsigned answers = 0;

 private:
  static constexpr double kGlance_s = 0.1;

  static double normal(Rng& rng) {
    return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
  }

  const std::vector<double> truth_;
  const double noise_;
  std::uint64_t grounds_ = 0;
};

}  // namespace ordo::fakes
