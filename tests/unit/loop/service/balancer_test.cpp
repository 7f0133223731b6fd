#include "loop/service/balancer.h"

#include <gmock/gmock.h>

#include <numeric>

namespace ordo::loop {
namespace {

TEST(BalancerTest, WeightsAddUpWhateverTheShares) {
  for (double canary = 0; canary <= 0.5; canary += 0.003) {
    const std::array<int, kPools> weights = weightsOf({.control = canary, .canary = canary});
    EXPECT_EQ(std::accumulate(weights.begin(), weights.end(), 0), kWeights);
    EXPECT_EQ(weights[1], weights[2]) << "control gets what the canary gets";
    EXPECT_EQ(weights[2] > 0, canary > 0) << "a share of " << canary << " is seen";
    EXPECT_GE(weights[0], 0);
  }
}

TEST(BalancerTest, WithoutAnExperimentProductionHasAll) {
  EXPECT_THAT(weightsOf({}), testing::ElementsAre(kWeights, 0, 0));
}

}  // namespace
}  // namespace ordo::loop
