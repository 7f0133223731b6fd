#include "timing/distributions.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "support/error.h"

namespace ordo::timing {
namespace {

using boost::math::complement;

}  // namespace

// Boost's takes the detour over long double, and the boundaries of a trial ask a hundred thousand times.
double normalTail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

double normalCritical(double p) {
  ORDO_CHECK(p > 0 && p < 1, "p = {}", p);
  return quantile(complement(boost::math::normal(), p));
}

double studentTail(double t, double df) {
  ORDO_CHECK(df > 0, "df = {}", df);
  return cdf(complement(boost::math::students_t(df), t));
}

double studentCritical(double p, double df) {
  ORDO_CHECK(p > 0 && p <= 0.5, "p = {}", p);
  return quantile(complement(boost::math::students_t(df), p));
}

}  // namespace ordo::timing
