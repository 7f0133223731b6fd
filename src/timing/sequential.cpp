#include "timing/sequential.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/error.h"
#include "timing/distributions.h"

namespace ordo::timing {
namespace {

constexpr double kLeast = 1e-14;

double normalDensity(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

// The density of the score Z √t among measurements that have not stopped, at evenly spaced points with
// Simpson's weights already in it.
struct Going {
  std::vector<double> score;
  std::vector<double> weight;

  // `density` at an odd number of points from -limit to limit.
  template <typename Density>
  static Going of(double limit, Density density) {
    constexpr int kIntervals = 200;
    const double step = 2 * limit / kIntervals;
    Going going;
    for (int i = 0; i <= kIntervals; ++i) {
      const double score = -limit + step * i;
      const double simpson = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
      going.score.push_back(score);
      going.weight.push_back(density(score) * simpson * step / 3);
    }
    return going;
  }

  // The chance to be above `limit` after a step of standard deviation `sd`.
  double above(double limit, double sd) const {
    double sum = 0;
    for (std::size_t i = 0; i < score.size(); ++i) sum += weight[i] * normalTail((limit - score[i]) / sd);
    return sum;
  }

  Going after(double sd, double limit) const {
    return of(limit, [&](double at) {
      double sum = 0;
      for (std::size_t i = 0; i < score.size(); ++i) sum += weight[i] * normalDensity((at - score[i]) / sd);
      return sum / sd;
    });
  }
};

// Beyond six standard deviations there is nobody left to count.
double reach(double z, double t) { return std::min(z, 6.0) * std::sqrt(t); }

}  // namespace

double spent(double alpha, double t) { return 2 * normalTail(normalCritical(alpha / 2) / std::sqrt(t)); }

std::vector<double> boundaries(std::span<const double> fractions, double alpha) {
  std::vector<double> result;
  Going going;
  double before = 0, spent_before = 0;
  for (const double t : fractions) {
    ORDO_CHECK(t > before && t <= 1, "fraction {} after {}", t, before);
    const double share = std::max(spent(alpha, t) - spent_before, kLeast);
    double z = 0;
    if (before == 0) {
      z = normalCritical(share);
      going =
          Going::of(reach(z, t), [&](double s) { return normalDensity(s / std::sqrt(t)) / std::sqrt(t); });
    } else {
      const double sd = std::sqrt(t - before);
      double low = 0, high = 9;
      while (high - low > 1e-10) {
        z = (low + high) / 2;
        (going.above(z * std::sqrt(t), sd) > share ? low : high) = z;
      }
      if (t < 1) going = going.after(sd, reach(z, t));
    }
    result.push_back(z);
    before = t;
    spent_before += share;
  }
  return result;
}

double conditionalPower(double z, double t, double critical) {
  const double score = z * std::sqrt(t);
  const double expected = score / t;  // at the end, at the pace so far
  return normalTail((critical - expected) / std::sqrt(1 - t));
}

}  // namespace ordo::timing
