#include "report/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/error.h"
#include "support/rng.h"

namespace ordo::report {
namespace {

constexpr std::size_t kMostDraws = 8'000'000, kLeastResamples = 200;

double mean(std::span<const double> values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The mean of as many values as there are, drawn with replacement.
double redrawnMean(std::span<const double> values, Rng& rng) {
  if (values.size() == 1) return values[0];
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.below(values.size())];
  return sum / static_cast<double>(values.size());
}

// Draws programs anew and calls `add` with each that was drawn; the mean over suites of the mean of what it
// gives.
template <typename Value>
double redraw(const Sample& shape, Rng& rng, Value value) {
  double sum = 0;
  for (std::size_t suite = 0; suite < shape.size(); ++suite) {
    const std::size_t programs = shape[suite].size();
    double suite_sum = 0;
    for (std::size_t i = 0; i < programs; ++i) suite_sum += value(suite, rng.below(programs));
    sum += suite_sum / static_cast<double>(programs);
  }
  return shape.empty() ? 0 : sum / static_cast<double>(shape.size());
}

Interval intervalOf(std::vector<double>& resampled) {
  std::ranges::sort(resampled);
  return {quantile(resampled, 0.025), quantile(resampled, 0.975)};
}

// Whether there are several programs to draw from, or several runs that differ.
bool hasChance(const Sample& sample) {
  return std::ranges::any_of(sample, [](const auto& suite) {
    return suite.size() > 1 || std::ranges::any_of(suite, [](const std::vector<double>& runs) {
             return std::ranges::adjacent_find(runs, std::ranges::not_equal_to{}) != runs.end();
           });
  });
}

// Fewer of samples that are so large that drawing from them takes long.
std::size_t resamplesOf(const Sample& sample, const Bootstrap& bootstrap) {
  std::size_t runs = 0;
  for (const auto& suite : sample) {
    for (const std::vector<double>& of_program : suite) runs += of_program.size();
  }
  return std::min(bootstrap.resamples,
                  std::max(kLeastResamples, kMostDraws / std::max<std::size_t>(runs, 1)));
}

}  // namespace

double meanOfSuites(const Sample& sample) {
  double sum = 0;
  for (const auto& suite : sample) {
    double suite_sum = 0;
    for (const auto& runs : suite) suite_sum += mean(runs);
    sum += suite_sum / static_cast<double>(suite.size());
  }
  return sample.empty() ? 0 : sum / static_cast<double>(sample.size());
}

Estimate estimate(const Sample& sample, const Bootstrap& bootstrap) {
  if (!hasChance(sample)) return {.mean = meanOfSuites(sample)};
  Rng rng(bootstrap.seed);
  std::vector<double> resampled(resamplesOf(sample, bootstrap));
  for (double& value : resampled) {
    value = redraw(sample, rng, [&](std::size_t suite, std::size_t program) {
      return redrawnMean(sample[suite][program], rng);
    });
  }
  return {meanOfSuites(sample), intervalOf(resampled)};
}

Comparison compare(const Sample& a, const Sample& b, const Bootstrap& bootstrap) {
  ORDO_CHECK(a.size() == b.size(), "{} and {} suites", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ORDO_CHECK(a[i].size() == b[i].size(), "{} and {} programs", a[i].size(), b[i].size());
  const double difference = meanOfSuites(a) - meanOfSuites(b);
  if (!hasChance(a) && !hasChance(b)) return {.difference = {.mean = difference}};
  Rng rng(bootstrap.seed);
  std::vector<double> resampled(bootstrap.resamples);
  std::size_t above = 0, below = 0;
  for (double& value : resampled) {
    value = redraw(a, rng, [&](std::size_t suite, std::size_t program) {
      const double of_a = redrawnMean(a[suite][program], rng);
      return of_a - redrawnMean(b[suite][program], rng);
    });
    above += value >= 0;
    below += value <= 0;
  }
  const auto n = static_cast<double>(bootstrap.resamples);
  // One more than was seen on either side: a resample can never show that something is impossible.
  const double share = (static_cast<double>(std::min(above, below)) + 1) / (n + 1);
  return {{difference, intervalOf(resampled)}, std::min(1.0, 2 * share)};
}

double quantile(std::span<const double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

}  // namespace ordo::report
