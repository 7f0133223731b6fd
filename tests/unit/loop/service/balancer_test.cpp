#include "loop/service/balancer.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/fakes/counted_balancer.h"

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

TEST(BalancerTest, WhoIsUpIsKnownOfWhoeverHasNoFigures) {
  const fakes::CountedBalancer balancer(
      fakes::CountedBalancer::Counts{{{true, 1, 2}, {false, 3, 4}, {true, 5, 6}}});
  Figures some;
  some[0] = Counters{.latency = {}, .instance = "x", .at_s = 7};
  const Figures all = *counted(some, balancer);
  EXPECT_EQ(all[0]->at_s, 7);
  EXPECT_EQ(all[0]->errors, 1u);
  EXPECT_EQ(all[1]->at_s, 0) << "only `up` is known";
  EXPECT_FALSE(all[1]->up);
  EXPECT_EQ(all[2]->redispatches, 6u);
  EXPECT_FALSE(counted({}, fakes::CountedBalancer(std::nullopt))) << "without a balancer nothing is known";
}

}  // namespace
}  // namespace ordo::loop
