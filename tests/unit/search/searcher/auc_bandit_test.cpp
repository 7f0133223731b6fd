#include "search/searcher/auc_bandit.h"

#include <gtest/gtest.h>

namespace ordo::search {
namespace {

TEST(AucBanditTest, TriesEveryArmFirst) {
  AucBandit bandit(3, 100, 0.05);
  for (std::size_t arm = 0; arm < 3; ++arm) {
    EXPECT_EQ(bandit.choose(), arm);
    bandit.record(arm, arm == 0);
  }
  EXPECT_EQ(bandit.choose(), 0u);
}

TEST(AucBanditTest, RecentSuccessesWeighMore) {
  AucBandit bandit(2, 100, 0);
  for (const bool success : {true, false, false}) bandit.record(0, success);
  for (const bool success : {false, false, true}) bandit.record(1, success);
  EXPECT_EQ(bandit.choose(), 1u) << "an area of 3/6, not 1/6";
}

TEST(AucBanditTest, ForgetsWhatLeavesTheWindow) {
  AucBandit bandit(2, 4, 0);
  bandit.record(0, true);
  for (const bool success : {false, false, true}) bandit.record(1, success);
  EXPECT_EQ(bandit.choose(), 0u);
  bandit.record(1, true);
  EXPECT_EQ(bandit.choose(), 0u) << "not in the window, so explored";
  bandit.record(0, false);
  EXPECT_EQ(bandit.choose(), 1u);
}

TEST(AucBanditTest, ExploresWhatWasUsedLittle) {
  AucBandit bandit(2, 500, 0.05);
  int second = 0;
  for (int i = 0; i < 500; ++i) {
    const std::size_t arm = bandit.choose();
    second += arm == 1;
    bandit.record(arm, arm == 0 && i % 10 == 0);
  }
  EXPECT_GE(second, 2);
  EXPECT_LT(second, 50);
}

}  // namespace
}  // namespace ordo::search
