#include "timing/field_experiment.h"

#include <array>
#include <cmath>
#include <utility>

namespace ordo::timing {
namespace {

constexpr unsigned kRepeats = 1;  // of a void trial

}  // namespace

Result<env::Glance> FieldExperiment::glance(std::size_t candidate, Rng& rng) {
  renewed_ = nullptr;
  ORDO_TRY(field_.enter(candidate));
  std::array<Arm, 2> order{Arm::kBaseline, Arm::kCandidate};
  if (rng.chance(0.5)) std::swap(order[0], order[1]);
  double pair = 0;
  for (const Arm arm : order) {
    ORDO_TRY_ASSIGN(const Reading reading, field_.runner().run(arm));
    if (stopAsked()) return env::Glance{};
    if (!reading.failure.empty() && arm == Arm::kBaseline) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: it does not do the same each time, so nothing can be compared with it",
                  reading.failure);
    }
    if (!reading.failure.empty()) return env::Glance{std::nullopt, reading.failure};
    const std::optional<double> value = reading.of(options_.quantity);
    if (!value || *value <= 0) {
      return fail(ErrorCode::kUnavailable, "a run took no {} that could be measured",
                  name(options_.quantity));
    }
    pair += arm == Arm::kBaseline ? std::log(*value) : -std::log(*value);
  }
  return env::Glance{pair};
}

Status FieldExperiment::renew(std::size_t candidate) {
  renewed_ = nullptr;
  ORDO_TRY_ASSIGN(renewed_, field_.rebuild(candidate));
  renewed_candidate_ = candidate;
  return {};
}

Result<env::Claim> FieldExperiment::ask(std::size_t candidate, const env::Allowance& allowance) {
  Runner* runner = renewed_candidate_ == candidate ? std::exchange(renewed_, nullptr) : nullptr;
  if (runner == nullptr) {
    ORDO_TRY(field_.enter(candidate));
    runner = &field_.runner();
  }
  TrialOptions options = options_;
  options.budget_s = allowance.budget_s;
  options.share = allowance.share;
  options.seed = allowance.seed;
  options.on_block = allowance.on_progress;
  const double start_s = clock_.seconds();
  ORDO_TRY_ASSIGN(const Comparison comparison, compare(*runner, clock_, options, kRepeats));
  const Trial& trial = comparison.trial;
  env::Claim outcome;
  outcome.verdict = trial.verdict;
  outcome.why = trial.why;
  if (!trial.fractions.empty())
    outcome.effect = {trial.candidate.value, trial.candidate.low, trial.candidate.high, comparison.p};
  outcome.baseline = typical(trial, Arm::kBaseline, options.quantity);
  outcome.cost_s = clock_.seconds() - start_s;
  return outcome;
}

}  // namespace ordo::timing
