#include "learn/network.h"

#include <gtest/gtest.h>

#include "tests/unit/learn/oracle.h"

namespace ordo::learn {
namespace {

TEST(LearnNetworkTest, ComputesWhatPyTorchComputes) {
  Network network = oracleNetwork();
  const NetworkImpl::Output output = network(tensorOf(oracle().at("x")));
  EXPECT_LT(distance(output.logits, tensorOf(oracle().at("logits"))), 1e-5);
  EXPECT_LT(distance(output.value, tensorOf(oracle().at("values"))), 1e-5);
}

TEST(LearnNetworkTest, ComputesWhatThePolicyWillCompute) {
  for (const policy::NetworkShape& shape :
       {policy::NetworkShape{policy::Architecture::kResidual, 20, 16, 2, 7},
        policy::NetworkShape{policy::Architecture::kLinear, 20, 0, 0, 7}}) {
    torch::manual_seed(3);
    Network network(shape);
    {
      const torch::NoGradGuard no_gradients;
      for (torch::Tensor& parameter : network->parameters())
        parameter.add_(torch::randn_like(parameter) * 0.1);
    }
    const auto fast = policy::Network::create(shape.architecture, weightsOf(network), "test");
    ASSERT_TRUE(fast) << fast.error().message;
    EXPECT_EQ(fast->shape(), shape);
    const torch::Tensor x = torch::randn({1, 20});
    const NetworkImpl::Output slow = network(x);
    policy::Network::Scratch scratch;
    const policy::Network::Output output = fast->evaluate({x.data_ptr<float>(), 20}, scratch);
    for (std::size_t i = 0; i < output.logits.size(); ++i)
      EXPECT_NEAR(output.logits[i], slow.logits[0][static_cast<std::int64_t>(i)].item<float>(), 1e-5);
    EXPECT_NEAR(output.value, slow.value.item<float>(), 1e-5);
  }
}

TEST(LearnNetworkTest, ANewOnePrefersNothing) {
  Network network(policy::NetworkShape{policy::Architecture::kResidual, 4, 8, 1, 3});
  const NetworkImpl::Output output = network(torch::randn({2, 4}));
  EXPECT_EQ(distance(output.logits, torch::zeros({2, 3})), 0);
  EXPECT_EQ(distance(output.value, torch::zeros({2})), 0);
}

TEST(LearnNetworkTest, WeightsComeBackAsTheyWere) {
  Network network = oracleNetwork(), other(oracleShape());
  const std::vector<policy::Tensor> weights = weightsOf(network);
  ASSERT_TRUE(setWeights(other, weights));
  EXPECT_EQ(weightsOf(other), weights);
}

TEST(LearnNetworkTest, WeightsOfAnotherShapeAreRefused) {
  Network network = oracleNetwork();
  std::vector<policy::Tensor> weights = weightsOf(network);
  weights.pop_back();
  EXPECT_EQ(setWeights(network, weights).error().code, ErrorCode::kInvalidArgument);
  weights = weightsOf(network);
  weights.front().shape = {1};
  EXPECT_EQ(setWeights(network, weights).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::learn
