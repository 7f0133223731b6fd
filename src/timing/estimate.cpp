#include "timing/estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/error.h"
#include "support/rng.h"
#include "timing/distributions.h"

namespace ordo::timing {
namespace {

constexpr double kMostCorrelation = 0.8;
// One in ten series of independent values has a correlation of more than this many 1 / √n.
constexpr double kChance = 1.28;

std::size_t trimmedAway(std::size_t n) { return n / 5; }

// Mean and error of values in order, of which there are `count[i]` of `sorted[i]`, n in all.
Centre ofSorted(std::span<const double> sorted, std::span<const unsigned> count, std::size_t n) {
  const std::size_t cut = trimmedAway(n), kept = n - 2 * cut;
  double sum = 0, low = 0, high = 0;
  const auto each = [&](auto visit) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < sorted.size(); begin += count[i], ++i) {
      const std::size_t from = std::max(begin, cut), to = std::min(begin + count[i], n - cut);
      if (from < to) visit(sorted[i], from, to);
    }
  };
  each([&](double value, std::size_t from, std::size_t to) {
    sum += value * static_cast<double>(to - from);
    if (from == cut) low = value;
    high = value;
  });
  double winsorised = sum + static_cast<double>(cut) * (low + high);
  winsorised /= static_cast<double>(n);
  const auto square = [&](double value) { return (value - winsorised) * (value - winsorised); };
  double squares = static_cast<double>(cut) * (square(low) + square(high));
  each([&](double value, std::size_t from, std::size_t to) {
    squares += square(value) * static_cast<double>(to - from);
  });
  const auto h = static_cast<double>(kept);
  return {sum / h, std::sqrt(squares / (h * (h - 1))), h - 1, 0};
}

// Of each value with the next, after the ends were drawn in to the values that trimming leaves.
double lagCorrelation(std::span<const double> values, std::span<const double> sorted) {
  const std::size_t n = values.size(), cut = trimmedAway(n);
  std::vector<double> drawn(values.begin(), values.end());
  for (double& value : drawn) value = std::clamp(value, sorted[cut], sorted[n - cut - 1]);
  const double mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / static_cast<double>(n);
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < n; ++i) {
    squares += (drawn[i] - mean) * (drawn[i] - mean);
    if (i + 1 < n) products += (drawn[i] - mean) * (drawn[i + 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

}  // namespace

Centre centre(std::span<const double> values) {
  ORDO_CHECK(values.size() >= kFewest, "{} values", values.size());
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::vector<unsigned> once(sorted.size(), 1);
  Centre result = ofSorted(sorted, once, sorted.size());
  result.correlation = lagCorrelation(values, sorted);
  if (result.correlation > kChance / std::sqrt(static_cast<double>(values.size()))) {
    const double rho = std::min(result.correlation, kMostCorrelation);
    result.error *= std::sqrt((1 + rho) / (1 - rho));
  }
  return result;
}

CriticalValues::CriticalValues(std::span<const double> values, const Bootstrap& bootstrap)
    : resamples_(bootstrap.resamples) {
  const std::size_t n = values.size();
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  std::vector<unsigned> count(n, 1);
  const Centre all = ofSorted(sorted, count, n);
  df_ = all.df;
  Rng rng(bootstrap.seed);
  for (std::size_t i = 0; i < resamples_; ++i) {
    // Counting what was drawn of each value keeps the resample in order without sorting it.
    std::ranges::fill(count, 0u);
    for (std::size_t k = 0; k < n; ++k) ++count[rng.below(n)];
    const Centre drawn = ofSorted(sorted, count, n);
    // A resample of equal values says nothing about spread.
    if (drawn.error > 0) distances_.push_back(std::abs(drawn.mean - all.mean) / drawn.error);
  }
  std::ranges::sort(distances_);
}

double CriticalValues::at(double level) const {
  const double least = studentCritical(level, df_);
  if (distances_.empty()) return least;
  const double share = std::max(2 * level, 10 / static_cast<double>(resamples_));
  const auto beyond = static_cast<std::size_t>(share * static_cast<double>(distances_.size()));
  return std::max(least, distances_[distances_.size() - 1 - std::min(beyond, distances_.size() - 1)]);
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double least = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    least = std::max(least, static_cast<double>(p.size() - rank) * p[order[rank]]);
    adjusted[order[rank]] = std::min(1.0, least);
  }
  return adjusted;
}

double median(std::vector<double> values) {
  ORDO_CHECK(!values.empty(), "no values");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace ordo::timing
