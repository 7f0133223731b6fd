#include "support/correlation.h"

#include <gtest/gtest.h>

#include <vector>

namespace ordo {
namespace {

// Expected values: numpy.corrcoef and scipy.stats.spearmanr's definition through ranks (NumPy 2.4).
TEST(CorrelationTest, IsNumPys) {
  const std::vector<double> x{1, 2, 3, 4, 5, 5}, y{2, 1, 4, 3, 7, 6};
  EXPECT_NEAR(pearson(x, y), 0.8635115366, 1e-10);
  EXPECT_NEAR(spearman(x, y), 0.8696565535, 1e-10);
}

TEST(CorrelationTest, OfWhatDoesNotVaryThereIsNone) {
  const std::vector<double> x{1, 2, 3}, flat(3, 3.0);
  EXPECT_EQ(pearson(x, flat), 0);
  EXPECT_EQ(spearman(flat, x), 0);
  EXPECT_EQ(spearman({}, {}), 0);
}

TEST(CorrelationTest, RanksSeeOrderAlone) {
  const std::vector<double> x{1, 2, 3, 4}, y{1, 10, 100, 1e6};
  EXPECT_DOUBLE_EQ(spearman(x, y), 1);
  EXPECT_LT(pearson(x, y), 0.9);
}

}  // namespace
}  // namespace ordo
