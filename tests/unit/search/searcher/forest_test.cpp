#include "search/searcher/forest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace ordo::search {
namespace {

struct Examples {
  std::vector<Forest::Row> rows;
  std::vector<double> targets;
};

// Five features, of which the first two matter: y = x0 + 5 where x1 > 7.
Examples examples(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  Examples result;
  for (std::size_t i = 0; i < count; ++i) {
    Forest::Row row(5);
    for (std::uint8_t& level : row) level = static_cast<std::uint8_t>(rng.below(Forest::kLevels));
    result.targets.push_back(row[0] + (row[1] > 7 ? 5 : 0));
    result.rows.push_back(std::move(row));
  }
  return result;
}

Forest grown(const Examples& from, std::uint64_t seed = 1) {
  Rng rng(seed);
  return Forest(from.rows, from.targets, 30, rng);
}

TEST(ForestTest, LearnsAFunctionItHasSeen) {
  const Forest forest = grown(examples(500, 1));
  const Examples fresh = examples(200, 2);
  double error = 0;
  for (std::size_t i = 0; i < 200; ++i)
    error += std::abs(forest.predict(fresh.rows[i]).mean - fresh.targets[i]) / 200;
  // The mean alone would be off by 4.5 on average.
  EXPECT_LT(error, 1);
}

TEST(ForestTest, KnowsWhichFeaturesMatter) {
  const std::vector<double> importances = grown(examples(500, 1)).importances();
  EXPECT_NEAR(std::accumulate(importances.begin(), importances.end(), 0.0), 1, 1e-9);
  EXPECT_GT(importances[0], 0.5);
  EXPECT_GT(importances[1], 0.1);
  for (std::size_t i = 2; i < 5; ++i) EXPECT_LT(importances[i], 0.05);
}

TEST(ForestTest, TreesDisagreeWhereLittleWasSeen) {
  Examples low = examples(400, 3);
  for (std::size_t i = 0; i < low.rows.size(); ++i) {
    if (low.rows[i][0] < 8) continue;
    low.rows.erase(low.rows.begin() + static_cast<std::ptrdiff_t>(i));
    low.targets.erase(low.targets.begin() + static_cast<std::ptrdiff_t>(i));
    --i;
  }
  for (int i = 0; i < 3; ++i) {
    low.rows.push_back({15, 0, 0, 0, 0});
    low.targets.push_back(40.0 * i);
  }
  const Forest forest = grown(low);
  EXPECT_GT(forest.predict({15, 0, 0, 0, 0}).deviation, 3 * forest.predict({3, 9, 8, 8, 8}).deviation);
}

TEST(ForestTest, WhatNeverVariesIsPredictedExactly) {
  const Examples constant{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {2.5, 2.5, 2.5, 2.5}};
  const Forest forest = grown(constant);
  EXPECT_EQ(forest.predict({9, 9}).mean, 2.5);
  EXPECT_EQ(forest.predict({9, 9}).deviation, 0);
  EXPECT_EQ(forest.importances(), (std::vector<double>{0, 0}));
  EXPECT_EQ(grown({{{3}}, {7}}).predict({0}).mean, 7);
  EXPECT_EQ(Forest().predict({0}).mean, 0);
}

TEST(ForestTest, TheSameSeedGrowsTheSameForest) {
  const Examples training = examples(100, 1);
  const Examples fresh = examples(20, 2);
  bool differs = false;
  for (const Forest::Row& row : fresh.rows) {
    EXPECT_EQ(grown(training, 4).predict(row).mean, grown(training, 4).predict(row).mean);
    differs = differs || grown(training, 4).predict(row).mean != grown(training, 5).predict(row).mean;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace ordo::search
