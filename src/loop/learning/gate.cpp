#include "loop/learning/gate.h"

#include <algorithm>
#include <cmath>

#include "support/rng.h"

namespace ordo::loop {
namespace {

using experience::Trial;

// What the policy takes of what could be tried.
Result<std::map<std::string, double>> choices(const Trial& trial, const Scores& scores) {
  std::map<std::string, double> chosen;
  double most = -INFINITY, sum = 0;
  for (const auto& [candidate, probability] : trial.among) {
    const auto score = scores.find(candidate);
    if (score == scores.end() || !std::isfinite(score->second))
      return fail(ErrorCode::kInvalidArgument, "trial {}: the policy says nothing of {}", trial.id,
                  candidate);
    chosen[candidate] = score->second;
    most = std::max(most, score->second);
  }
  for (auto& [candidate, value] : chosen) sum += value = std::exp(value - most);
  for (auto& [candidate, value] : chosen) value /= sum;
  return chosen;
}

double worth(const std::map<std::string, double>& worths, const std::string& candidate) {
  const auto found = worths.find(candidate);
  return found == worths.end() ? 0 : found->second;
}

std::string shown(const Estimate& one) {
  const auto percent = [](double logarithm) { return 100 * std::expm1(logarithm); };
  return fmt::format("{:+.2f} % [{:+.2f}, {:+.2f}]", percent(one.value), percent(one.low), percent(one.high));
}

}  // namespace

Result<Estimate> estimate(const std::vector<Trial>& trials, const Scores& scores,
                          const std::map<std::string, double>& worths, const GateOptions& options) {
  if (trials.empty()) return fail(ErrorCode::kInvalidArgument, "there are no trials to judge by");
  std::vector<double> gains;
  double weights = 0, squares = 0;
  for (const Trial& trial : trials) {
    ORDO_TRY_ASSIGN(const auto chosen, choices(trial, scores));
    const double baseline = worth(worths, trial.baseline);
    double gain = 0;
    for (const auto& [candidate, probability] : chosen)
      gain += probability * (worth(worths, candidate) - baseline);
    const double weight =
        std::min(options.most_weight, chosen.at(trial.candidate) / trial.among.at(trial.candidate));
    gains.push_back(gain + weight * (trial.reward - (worth(worths, trial.candidate) - baseline)));
    weights += weight;
    squares += weight * weight;
  }
  const auto mean = [&](auto&& pick) {
    double sum = 0;
    for (std::size_t i = 0; i < gains.size(); ++i) sum += gains[pick(i)];
    return sum / static_cast<double>(gains.size());
  };
  Estimate result{.value = mean([](std::size_t i) { return i; }),
                  .effective = squares > 0 ? weights * weights / squares : 0};
  Rng rng(options.seed);
  std::vector<double> means;
  for (unsigned i = 0; i < options.resamples; ++i)
    means.push_back(mean([&](std::size_t) { return rng.below(gains.size()); }));
  std::ranges::sort(means);
  const auto quantile = [&](double share) {
    return means[static_cast<std::size_t>(share * static_cast<double>(means.size() - 1))];
  };
  result.low = quantile((1 - options.confidence) / 2);
  result.high = quantile((1 + options.confidence) / 2);
  return result;
}

Result<Judgement> judge(const std::vector<Trial>& trials, const Scores& before, const Scores& after,
                        const std::map<std::string, double>& worths, const GateOptions& options) {
  Judgement judgement;
  ORDO_TRY_ASSIGN(judgement.before, estimate(trials, before, worths, options));
  ORDO_TRY_ASSIGN(judgement.after, estimate(trials, after, worths, options));
  const double effective = std::min(judgement.before.effective, judgement.after.effective);
  const std::string both =
      fmt::format("new weights {}, old {}, by {} trials that count as {:.1f}", shown(judgement.after),
                  shown(judgement.before), trials.size(), effective);
  if (effective < options.least_effective) {
    judgement.why =
        fmt::format("too few trials to tell, {:.0f} have to count: {}", options.least_effective, both);
    return judgement;
  }
  judgement.passes = judgement.after.low >= judgement.before.low;
  judgement.why = fmt::format("{}: {}",
                              judgement.passes ? "the lower bound is not below that of the old"
                                               : "the lower bound is below that of the old",
                              both);
  return judgement;
}

}  // namespace ordo::loop
