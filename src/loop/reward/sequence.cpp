#include "loop/reward/sequence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "support/rng.h"

namespace ordo::loop {
namespace {

constexpr std::size_t kFewestBatches = 6;
// Fewer batches than that tell nothing at usual alphas: what is correlated takes most of what they are worth.
constexpr std::size_t kEnoughBatches = 12;
constexpr std::size_t kLeastHalved = 8;  // smaller ones hide too little of what neighbours share
// The variance of the mixture over effects, in deviations of a batch: effects of two of them are what an
// experiment is for.
constexpr double kEffects = 4.0;
constexpr double kMostCorrelated = 0.95;
constexpr std::size_t kResamples = 200;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Half an interval in deviations of a batch, where `count` of them have that autocorrelation; nothing while
// they are too few.
std::optional<double> halfWidth(double count, double seen, double alpha) {
  const double likely = std::min(kMostCorrelated, seen + std::sqrt((1 - seen * seen) / count));
  const double worth = count * (1 - likely) / (1 + likely);  // independent batches that know as much
  // The Bayes factor of the t-test is below 1 / alpha where (1 + u) / (1 + u / spread) < limit, with u the
  // square of t by its degrees of freedom.
  const double spread = 1 + worth * kEffects;
  const double freedom = worth - 1;
  const double limit = std::pow(std::sqrt(spread) / alpha, 2 / worth);
  if (freedom < 1 || limit >= spread) return std::nullopt;
  return std::sqrt(freedom * (limit - 1) / (1 - limit / spread) / worth);
}

}  // namespace

std::vector<double> batchMeans(std::span<const double> values, std::size_t size) {
  const std::size_t count = values.size() / size;
  std::vector<double> means;
  means.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    means.push_back(mean(values.subspan(values.size() - (count - i) * size, size)));
  return means;
}

std::size_t batchSize(std::size_t count) {
  const std::size_t size = std::bit_floor(
      static_cast<std::size_t>(std::sqrt(static_cast<double>(std::max<std::size_t>(count, 1)))));
  return size >= kLeastHalved && count / size < kEnoughBatches ? size / 2 : size;
}

double autocorrelation(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double middle = mean(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - middle) * (values[i] - middle);
    if (i > 0) products += (values[i] - middle) * (values[i - 1] - middle);
  }
  if (squares <= 1e-24 * (1 + middle * middle)) return 0;  // what rounding makes of equal values
  const double seen = std::max(0.0, products / squares);
  // Its bias to the first order (Kendall, Biometrika 41, 1954).
  return std::min(kMostCorrelated, seen + (1 + 3 * seen) / static_cast<double>(values.size()));
}

std::optional<Bounds> sequence(std::span<const double> values, double alpha, double least_deviation) {
  const std::vector<double> batches = batchMeans(values, batchSize(values.size()));
  if (batches.size() < kFewestBatches) return std::nullopt;
  const auto count = static_cast<double>(batches.size());
  const double middle = mean(batches);
  double squares = 0;
  for (const double batch : batches) squares += (batch - middle) * (batch - middle);
  const double deviation = std::max(std::sqrt(squares / (count - 1)), least_deviation);

  const std::optional<double> half = halfWidth(count, autocorrelation(batches), alpha);
  if (!half) return std::nullopt;
  return Bounds{.value = middle, .low = middle - *half * deviation, .high = middle + *half * deviation};
}

std::size_t fewestValues(double alpha) {
  for (std::size_t count = kFewestBatches;; ++count) {
    const std::size_t batches = count / batchSize(count);
    const auto of = static_cast<double>(batches);
    // Even independent ones are taken to be correlated by 1 / n (autocorrelation()).
    if (batches >= kFewestBatches && halfWidth(of, 1 / of, alpha)) return count;
  }
}

double evidence(std::uint64_t one, std::uint64_t other) {
  if (one <= other) return 0;
  const auto a = static_cast<double>(one), b = static_cast<double>(other);
  // 2^n times the beta function of a + 1 and b + 1.
  return std::max(
      0.0, (a + b) * std::numbers::ln2 + std::lgamma(a + 1) + std::lgamma(b + 1) - std::lgamma(a + b + 2));
}

double bootstrapError(std::span<const double> values, std::uint64_t seed) {
  Rng rng(seed);
  const std::size_t count = values.size(), block = batchSize(count);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < kResamples; ++i) {
    double total = 0;
    for (std::size_t drawn = 0; drawn < count;) {
      const std::size_t begin = rng.below(count);
      for (std::size_t j = 0; j < block && drawn < count; ++j, ++drawn) total += values[(begin + j) % count];
    }
    const double resampled = total / static_cast<double>(count);
    sum += resampled;
    squares += resampled * resampled;
  }
  constexpr double kCount = kResamples;
  return std::sqrt(std::max(0.0, squares / kCount - (sum / kCount) * (sum / kCount)));
}

double trimmedMean(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t off = values.size() / 5;
  return mean(std::span(values).subspan(off, values.size() - 2 * off));
}

}  // namespace ordo::loop
