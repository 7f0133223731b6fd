#include "timing/sequential.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rng.h"
#include "tests/unit/timing/normal.h"
#include "tests/unit/timing/oracle.h"

namespace ordo::timing {
namespace {

TEST(SequentialTest, AllIsSpentAtTheEndAndAlmostNothingAtFirst) {
  EXPECT_NEAR(spent(0.025, 1), 0.025, 1e-12);
  EXPECT_LT(spent(0.025, 0.25), 1e-5);
  EXPECT_LT(spent(0.025, 0.5), spent(0.025, 0.6));
}

// Simpson's rule over 200 intervals against the trapezoidal rule over 3,000: the fourth digit of z is more
// than any number of resamples can tell.
TEST(SequentialTest, BoundariesAreThoseOfAFinerGrid) {
  for (const Json& row : oracle("boundaries")) {
    const auto fractions = row.at("fractions").get<std::vector<double>>();
    const std::vector<double> found = boundaries(fractions, row.at("alpha"));
    const auto expected = row.at("z").get<std::vector<double>>();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-4) << row;
  }
}

// The published ones of Lan and DeMets' spending function for a two-sided level of 5 % (Reboussin et al.,
// Contr. Clin. Trials 21, 2000: program ld98).
TEST(SequentialTest, BoundariesAreThePublishedOnes) {
  const std::vector<double> found = boundaries(std::vector{0.2, 0.4, 0.6, 0.8, 1.0}, 0.025);
  const std::vector<double> published{4.8769, 3.3569, 2.6803, 2.2898, 2.0310};
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], published[i], 2e-4);
}

// Against walks that go on: the share of them that ends above.
TEST(SequentialTest, ConditionalPowerIsTheShareOfWalksThatGetThere) {
  Rng rng(4);
  const double z = 1.2, t = 0.5, critical = 2.0;
  constexpr int kWalks = 20000;
  int above = 0;
  for (int i = 0; i < kWalks; ++i) {
    const double score = z * std::sqrt(t);
    const double step = normal(rng) * std::sqrt(1 - t);
    above += score + score / t * (1 - t) + step > critical;
  }
  // Three standard errors of a share of 20,000.
  EXPECT_NEAR(conditionalPower(z, t, critical), above / double{kWalks}, 0.011);
}

}  // namespace
}  // namespace ordo::timing
