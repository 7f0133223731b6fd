#include "search/knowledge/ridge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/correlation.h"
#include "support/rng.h"

namespace ordo::search {
namespace {

// Made by scikit-learn's definition: standardised columns, centred targets, solved by NumPy for each λ of the
// list, the λ with the least PRESS taken.
TEST(RidgeTest, PredictsWhatTheFormulaSays) {
  const std::vector<Ridge::Row> rows{{0, 1, 7}, {1, 0, 7}, {2, 2, 7}, {3, 1, 7}, {4, 5, 7}};
  const std::vector<double> targets{1.0, 2.5, 3.9, 6.1, 8.0};
  const Ridge ridge(rows, targets);
  EXPECT_NEAR(ridge.predict({0, 0, 7}), 0.793577132602223, 1e-9);
  EXPECT_NEAR(ridge.predict({5, 5, 7}), 9.590784222441647, 1e-9);
  EXPECT_EQ(ridge.predict({5, 5, 7}), ridge.predict({5, 5, 99})) << "what never varied has no weight";
}

TEST(RidgeTest, KnowingNothingItPredictsTheMean) {
  EXPECT_EQ(Ridge().predict({1, 2}), 0);
  const std::vector<Ridge::Row> rows{{1, 1}, {1, 1}};
  EXPECT_DOUBLE_EQ(Ridge(rows, std::vector{1.0, 3.0}).predict({5, 5}), 2);
}

// 60 features of which three matter, and noise as large as what they do.
TEST(RidgeTest, FewNoisyExamplesOfManyFeaturesTellTheOrder) {
  double sum = 0;
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    Rng rng(static_cast<std::uint64_t>(round) + 1);
    const auto draw = [&] {
      Ridge::Row row(60);
      for (double& value : row) value = rng.chance(0.1) ? 1 : 0;
      return row;
    };
    const auto truth = [](const Ridge::Row& row) { return row[0] + row[1] - row[2]; };
    std::vector<Ridge::Row> rows;
    std::vector<double> targets;
    for (int i = 0; i < 80; ++i) {
      rows.push_back(draw());
      targets.push_back(truth(rows.back()) + rng.uniform() - 0.5);
    }
    const Ridge ridge(rows, targets);
    std::vector<double> predicted, real;
    for (int i = 0; i < 100; ++i) {
      const Ridge::Row row = draw();
      predicted.push_back(ridge.predict(row));
      real.push_back(truth(row));
    }
    sum += pearson(predicted, real);
  }
  EXPECT_GT(sum / kRounds, 0.7);
}

}  // namespace
}  // namespace ordo::search
