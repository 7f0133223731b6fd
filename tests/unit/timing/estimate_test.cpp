#include "timing/estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rng.h"
#include "tests/unit/timing/normal.h"
#include "tests/unit/timing/oracle.h"
#include "timing/distributions.h"

namespace ordo::timing {
namespace {

TEST(EstimateTest, CentresAndErrorsAreNumPys) {
  for (const Json& row : oracle("series")) {
    const auto values = row.at("values").get<std::vector<double>>();
    const Centre found = centre(values);
    const double chance = 1.28 / std::sqrt(static_cast<double>(values.size()));
    EXPECT_NEAR(found.mean, row.at("mean").get<double>(), 1e-12);
    EXPECT_EQ(found.df, row.at("df").get<double>());
    if (found.correlation > chance) continue;  // then the error is another one on purpose
    EXPECT_NEAR(found.error, row.at("error").get<double>(), 1e-12);
  }
}

// 100,000 resamples on either side know the quantile to about 1 %; of few values it is one of few.
TEST(EstimateTest, TheBootstrapIsNumPys) {
  for (const Json& row : oracle("series")) {
    const auto values = row.at("values").get<std::vector<double>>();
    const double student = studentCritical(0.025, centre(values).df);
    const double expected = std::max(student, row.at("critical").get<double>());
    EXPECT_NEAR(CriticalValues(values, {.resamples = 100000, .seed = 3}).at(0.025) / expected, 1, 0.04)
        << row;
  }
}

TEST(EstimateTest, LevelsThatNoResampleCanShowAreStudents) {
  Rng rng(5);
  std::vector<double> values(20);
  for (double& value : values) value = normal(rng);
  const CriticalValues critical(values, {.resamples = 1000, .seed = 1});
  EXPECT_NEAR(critical.at(1e-8), studentCritical(1e-8, 11), 1e-9);
  EXPECT_GE(critical.at(0.025), studentCritical(0.025, 11));
}

TEST(EstimateTest, AnOutlierMovesNothing) {
  std::vector<double> values{0.01, 0.02, 0.00, 0.01, 0.02, 0.01, 0.00, 0.02, 0.01, 0.01};
  const Centre before = centre(values);
  values[3] = 7;
  EXPECT_NEAR(centre(values).mean, before.mean, 0.004);
  EXPECT_LT(centre(values).error, 0.01);
}

TEST(EstimateTest, ValuesThatAreAllEqualAreKnownExactly) {
  const std::vector<double> values(12, 0.25);
  EXPECT_EQ(centre(values).error, 0);
  EXPECT_EQ(centre(values).mean, 0.25);
  EXPECT_GT(CriticalValues(values, {}).at(0.025), 2);
}

// The share of series whose interval of 95 % holds the truth.
template <typename Draw>
double coverage(std::size_t n, int series, Draw draw) {
  Rng rng(n);
  int covered = 0;
  for (int i = 0; i < series; ++i) {
    std::vector<double> values(n);
    for (double& value : values) value = draw(rng);
    const Centre found = centre(values);
    const double half = CriticalValues(values, {.resamples = 400, .seed = 1}).at(0.025) * found.error;
    covered += std::abs(found.mean) <= half;
  }
  return static_cast<double>(covered) / series;
}

// 1,000 series know a share of 95 % to 0.7 % (one standard error); two are allowed for.
TEST(EstimateTest, IntervalsHoldTheTruthAlsoWithOutliers) {
  for (const std::size_t n : {10u, 24u}) {
    EXPECT_GE(coverage(n, 1000, [](Rng& rng) { return normal(rng); }), 0.936) << n;
    EXPECT_GE(coverage(n, 1000, [](Rng& rng) { return normal(rng) * (rng.chance(0.1) ? 10 : 1); }), 0.936)
        << n;
  }
}

// Each value half of the one before: taken for independent, 40 values would give intervals that miss one time
// in four.
TEST(EstimateTest, IntervalsOfNeighboursThatAreAlikeAreWider) {
  double state = 0;
  EXPECT_GE(coverage(40, 500, [&](Rng& rng) { return state = 0.5 * state + std::sqrt(0.75) * normal(rng); }),
            0.88);
}

TEST(EstimateTest, HolmsValuesAreThoseOfHisExample) {
  const std::vector<double> adjusted = holm(std::vector{0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12);
  EXPECT_EQ(holm(std::vector{0.6, 0.7}), (std::vector{1.0, 1.0}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(EstimateTest, MediansAreOfBothMiddles) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

}  // namespace
}  // namespace ordo::timing
