#include "search/knowledge/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/rng.h"

namespace ordo::search {
namespace {

constexpr std::size_t kUnits = 1000;  // the baseline's value

// Three sequences on programs that differ by a level of their own: costs are what `weights` and `offsets`
// say.
std::vector<std::vector<Outcome>> outcomes(const std::vector<double>& weights,
                                           const std::vector<double>& offsets, double noise,
                                           std::size_t programs, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<Outcome>> all(programs);
  for (std::vector<Outcome>& program : all) {
    const double level = rng.uniform() - 0.5;
    for (const double offset : offsets) {
      Outcome outcome;
      double logarithm = level + offset + noise * (rng.uniform() - 0.5);
      for (const double weight : weights) {
        outcome.counts.push_back(static_cast<double>(rng.below(kUnits)) / kUnits);
        logarithm += weight * outcome.counts.back();
      }
      outcome.cost = std::exp(logarithm);
      program.push_back(std::move(outcome));
    }
  }
  return all;
}

TEST(EstimateTest, FindsWhatTellsSequencesApart) {
  const std::vector<double> weights{0.2, -0.1, 0}, offsets{0, 0.05, -0.03};
  const Estimate estimate = fitEstimate("counts", outcomes(weights, offsets, 0, 60, 1));
  ASSERT_EQ(estimate.weights.size(), 3u);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(estimate.weights[i], weights[i], 0.02);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    EXPECT_NEAR(estimate.offsets[i] - estimate.offsets[0], offsets[i], 0.01);
}

TEST(EstimateTest, RanksProgramsThatItHasNotSeen) {
  const std::vector<double> weights{0.3, -0.2, 0.1}, offsets{0, 0.02, -0.02};
  const Estimate estimate = fitEstimate("counts", outcomes(weights, offsets, 0.05, 60, 1));
  double chosen = 0, first = 0, least = 0;
  for (const std::vector<Outcome>& program : outcomes(weights, offsets, 0.05, 200, 2)) {
    std::vector<double> ranks;
    for (std::size_t i = 0; i < program.size(); ++i) {
      std::vector<std::int64_t> counts;
      for (const double share : program[i].counts) counts.push_back(std::llround(share * kUnits));
      ranks.push_back(estimate.rank(i, counts, kUnits));
    }
    const auto best = static_cast<std::size_t>(std::ranges::min_element(ranks) - ranks.begin());
    chosen += std::log(program[best].cost);
    first += std::log(program[0].cost);
    least += std::log(std::ranges::min_element(program, {}, &Outcome::cost)->cost);
  }
  EXPECT_LT(chosen - least, 0.1 * (first - least));
}

TEST(EstimateTest, CountsAreInUnitsOfTheBaseline) {
  const Estimate estimate{"counts", {2, 4}, {0.5, 1}};
  const std::vector<std::int64_t> counts{10, 20};
  EXPECT_DOUBLE_EQ(estimate.rank(1, counts, 100), 2);
  EXPECT_DOUBLE_EQ(estimate.rank(0, counts, 50), 2.5);
  EXPECT_DOUBLE_EQ(estimate.rank(1, counts, 0), 1);  // a program without code
}

TEST(EstimateTest, OneDisasterDoesNotTeachEverything) {
  const std::vector<double> weights{0.2, -0.1, 0}, offsets{0, 0, 0};
  std::vector<std::vector<Outcome>> programs = outcomes(weights, offsets, 0, 60, 3);
  programs[7][1].cost *= 1e6;
  const Estimate estimate = fitEstimate("counts", programs);
  EXPECT_NEAR(estimate.weights[0], 0.2, 0.05);
  EXPECT_LT(estimate.offsets[1] - estimate.offsets[0], 0.05);
}

}  // namespace
}  // namespace ordo::search
