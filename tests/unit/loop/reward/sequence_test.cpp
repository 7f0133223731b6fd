#include "loop/reward/sequence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "support/rng.h"

namespace ordo::loop {
namespace {

double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

// Each resembles the one before by `rho`.
std::vector<double> noise(Rng& rng, std::size_t count, double rho) {
  std::vector<double> values(count);
  double last = normal(rng);
  for (double& value : values) value = last = rho * last + std::sqrt(1 - rho * rho) * normal(rng);
  return values;
}

// How many of `runs` series of mean `shift` leave 0 above and below, looked at after each value.
std::pair<int, int> leave(double rho, double shift, int runs, double alpha) {
  int above = 0, below = 0;
  for (int run = 0; run < runs; ++run) {
    Rng rng(static_cast<std::uint64_t>(run) + 1);
    std::vector<double> values = noise(rng, 200, rho);
    for (double& value : values) value += shift;
    for (std::size_t n = 1; n <= values.size(); ++n) {
      const auto bounds = sequence(std::span(values).first(n), alpha, 0);
      if (!bounds) continue;
      if (bounds->low > 0) ++above;
      if (bounds->high < 0) ++below;
      if (bounds->low > 0 || bounds->high < 0) break;
    }
  }
  return {above, below};
}

TEST(LoopSequenceTest, HoldsAtEveryLookAlsoWhereNeighboursAreAlike) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    const auto [above, below] = leave(rho, 0, 400, 0.02);
    // 1 % a side is promised: 10 of 400 would have a chance of less than 1 % at that.
    EXPECT_LE(above, 9) << rho;
    EXPECT_LE(below, 9) << rho;
  }
}

TEST(LoopSequenceTest, FindsAnEffectOfHalfADeviation) {
  const auto [above, below] = leave(0, 0.5, 100, 0.02);
  EXPECT_GE(above, 85);  // 94 are; what holding at every look costs
  EXPECT_EQ(below, 0);
}

// What was known is not forgotten because there is more of it.
TEST(LoopSequenceTest, KnowsNoLessFromMoreValues) {
  Rng rng(5);
  std::vector<double> values = noise(rng, 300, 0);
  for (double& value : values) value += 20;
  const std::size_t fewest = fewestValues(0.01 / 3);
  EXPECT_FALSE(sequence(std::span(values).first(fewest - 1), 0.01 / 3, 0));
  int unknown = 0;
  for (std::size_t n = fewest; n <= values.size(); ++n) {
    const auto bounds = sequence(std::span(values).first(n), 0.01 / 3, 0);
    unknown += !bounds || bounds->low < 0;
  }
  EXPECT_LE(unknown, 12) << "chance alone may look like correlation, at some";
}

TEST(LoopSequenceTest, KnowsNothingFromAFewValues) {
  const std::vector<double> values(5, 1.0);
  EXPECT_FALSE(sequence(values, 0.02, 0));
}

TEST(LoopSequenceTest, IsNeverSurerThanWhatIsKnownToVary) {
  const std::vector<double> values(200, 0.01);
  const auto bounds = sequence(values, 0.02, 0.1);
  ASSERT_TRUE(bounds);
  EXPECT_LT(bounds->low, -0.05);
}

TEST(LoopSequenceTest, BatchesAreMeansOfTheLatest) {
  const std::vector<double> values = {9, 1, 3, 5, 7};
  EXPECT_EQ(batchMeans(values, 2), (std::vector<double>{2, 6}));
  EXPECT_EQ(batchSize(1), 1u);
  EXPECT_EQ(batchSize(100), 8u);
}

TEST(LoopSequenceTest, TheBootstrapSeesWhatNeighboursShare) {
  Rng rng(3);
  const std::vector<double> alone = noise(rng, 400, 0), alike = noise(rng, 400, 0.8);
  EXPECT_NEAR(bootstrapError(alone, 1), 0.05, 0.01);  // 1 / root of 400
  EXPECT_GT(bootstrapError(alike, 1), 0.08);          // 3 times as much, of which blocks of 16 see most
  EXPECT_EQ(bootstrapError(alone, 7), bootstrapError(alone, 7));
}

TEST(LoopSequenceTest, ATrimmedMeanForgetsWhatStandsOut) {
  EXPECT_DOUBLE_EQ(trimmedMean({1, 1, 1, 1, 1e9}), 1);
  EXPECT_DOUBLE_EQ(trimmedMean({4}), 4);
}

TEST(LoopSequenceTest, EvidenceOfCountsGrowsAndChanceDoesNotReachIt) {
  EXPECT_EQ(evidence(0, 0), 0);
  EXPECT_EQ(evidence(5, 5), 0);
  EXPECT_EQ(evidence(3, 9), 0);
  EXPECT_NEAR(evidence(1, 0), 0, 1e-9) << "one says nothing";
  EXPECT_NEAR(evidence(12, 0), std::log(4096.0 / 13), 1e-9);
  EXPECT_GT(evidence(40, 10), evidence(20, 5));
  // Looked at after each of 2,000 coins.
  int reached = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Rng rng(seed);
    std::uint64_t one = 0, other = 0;
    bool ever = false;
    for (int i = 0; i < 2000; ++i) {
      ++(rng.chance(0.5) ? one : other);
      ever = ever || evidence(one, other) > std::log(20);
    }
    reached += ever;
  }
  EXPECT_LE(reached, 50);
}

}  // namespace
}  // namespace ordo::loop
