#include "timing/distributions.h"

#include <cmath>

#include "support/error.h"

namespace ordo::timing {
namespace {

// The continued fraction of the incomplete beta function, by Lentz's method (Lentz 1976); converges fast for
// x < (a + 1) / (a + b + 2).
double betaFraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300, kPrecision = 1e-15;
  const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < kPrecision) break;
  }
  return value;
}

// I_x(a, b).
double regularisedBeta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * betaFraction(x, a, b) / a;
  return 1 - front * betaFraction(1 - x, b, a) / b;
}

// Where the decreasing function `tail` is `p`, between `low` and `high`, to the last few digits.
template <typename Tail>
double solve(Tail tail, double p, double low, double high) {
  for (int i = 0; i < 200 && high - low > 1e-14 * (std::abs(low) + std::abs(high)); ++i) {
    const double middle = (low + high) / 2;
    (tail(middle) > p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double normalTail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

double normalCritical(double p) {
  ORDO_CHECK(p > 0 && p < 1, "p = {}", p);
  return solve(normalTail, p, -40, 40);
}

double studentTail(double t, double df) {
  ORDO_CHECK(df > 0, "df = {}", df);
  const double tail = regularisedBeta(df / (df + t * t), df / 2, 0.5) / 2;
  return t >= 0 ? tail : 1 - tail;
}

double studentCritical(double p, double df) {
  ORDO_CHECK(p > 0 && p <= 0.5, "p = {}", p);
  const auto tail = [df](double t) { return studentTail(t, df); };
  double high = 1;
  while (tail(high) > p && high < 1e100) high *= 2;
  return solve(tail, p, 0, high);
}

}  // namespace ordo::timing
