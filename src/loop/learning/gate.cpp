#include "loop/learning/gate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

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

// Of each trial, what the policy is estimated to come to in it.
struct Gains {
  std::vector<double> gains;
  double effective = 0;  // as Estimate has it
};

Result<Gains> gainsOf(const std::vector<Trial>& trials, const Scores& scores,
                      const std::map<std::string, double>& worths, const GateOptions& options) {
  if (trials.empty()) return fail(ErrorCode::kInvalidArgument, "there are no trials to judge by");
  Gains all;
  double weights = 0, squares = 0;
  for (const Trial& trial : trials) {
    ORDO_TRY_ASSIGN(const auto chosen, choices(trial, scores));
    const double baseline = worth(worths, trial.baseline);
    double gain = 0;
    for (const auto& [candidate, probability] : chosen)
      gain += probability * (worth(worths, candidate) - baseline);
    const double weight =
        std::min(options.most_weight, chosen.at(trial.candidate) / trial.among.at(trial.candidate));
    all.gains.push_back(gain + weight * (trial.reward - (worth(worths, trial.candidate) - baseline)));
    weights += weight;
    squares += weight * weight;
  }
  all.effective = squares > 0 ? weights * weights / squares : 0;
  return all;
}

struct Moments {
  double mean = 0, error = 0;
};

// Of `count` numbers, their mean and its standard error.
template <typename Number>
Moments momentsOf(std::size_t count, Number number) {
  const auto n = static_cast<double>(count);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double one = number(i);
    sum += one;
    squares += one * one;
  }
  return {.mean = sum / n, .error = std::sqrt(std::max(0.0, squares - sum * sum / n) / (n * (n - 1)))};
}

// Their mean with its interval, by the bootstrap of Student's ratio (Efron & Tibshirani, 1993, 12.5): what
// the mere quantiles of means give is too narrow for a dozen trials. All resamples are drawn by the seed
// alone: of the same number of trials they are the same trials.
Estimate summed(const std::vector<double>& gains, double effective, const GateOptions& options) {
  const Moments seen = momentsOf(gains.size(), [&](std::size_t i) { return gains[i]; });
  Estimate result{.value = seen.mean, .low = seen.mean, .high = seen.mean, .effective = effective};
  if (!(seen.error > 0)) return result;
  Rng rng(options.seed);
  std::vector<double> ratios;
  for (unsigned i = 0; i < options.resamples; ++i) {
    const Moments drawn =
        momentsOf(gains.size(), [&](std::size_t) { return gains[rng.below(gains.size())]; });
    const double off = drawn.mean - seen.mean;
    ratios.push_back(off == 0 ? 0 : off / std::max(drawn.error, 1e-9 * seen.error));
  }
  std::ranges::sort(ratios);
  const auto quantile = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  result.low = seen.mean - quantile((1 + options.confidence) / 2) * seen.error;
  result.high = seen.mean - quantile((1 - options.confidence) / 2) * seen.error;
  return result;
}

std::string shown(const Estimate& one) {
  const auto percent = [](double logarithm) { return 100 * std::expm1(logarithm); };
  return fmt::format("{:+.2f} % [{:+.2f}, {:+.2f}]", percent(one.value), percent(one.low), percent(one.high));
}

}  // namespace

Result<Estimate> estimate(const std::vector<Trial>& trials, const Scores& scores,
                          const std::map<std::string, double>& worths, const GateOptions& options) {
  ORDO_TRY_ASSIGN(const Gains all, gainsOf(trials, scores, worths, options));
  return summed(all.gains, all.effective, options);
}

Result<Judgement> judge(const std::vector<Trial>& trials, const Scores& before, const Scores& after,
                        const std::map<std::string, double>& worths, const GateOptions& options) {
  ORDO_TRY_ASSIGN(const Gains old, gainsOf(trials, before, worths, options));
  ORDO_TRY_ASSIGN(const Gains now, gainsOf(trials, after, worths, options));
  std::vector<double> differences;
  std::ranges::transform(now.gains, old.gains, std::back_inserter(differences), std::minus());
  const double effective = std::min(old.effective, now.effective);
  Judgement judgement{.passes = false,
                      .why = "",
                      .before = summed(old.gains, old.effective, options),
                      .after = summed(now.gains, now.effective, options),
                      .difference = summed(differences, effective, options)};
  const std::string what = fmt::format(
      "new weights {}, old {}, the difference {}, by {} trials that count as {:.1f}", shown(judgement.after),
      shown(judgement.before), shown(judgement.difference), trials.size(), effective);
  if (effective < options.least_effective) {
    judgement.why =
        fmt::format("too few trials to tell, {:.0f} have to count: {}", options.least_effective, what);
    return judgement;
  }
  judgement.passes = judgement.difference.low > 0;
  judgement.why =
      fmt::format("{}: {}", judgement.passes ? "they are surely better" : "they are not surely better", what);
  return judgement;
}

}  // namespace ordo::loop
