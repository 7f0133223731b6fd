#include "learn/awr.h"

#include <gtest/gtest.h>

namespace ordo::learn {
namespace {

// Two sequences in the same states: what one does in each, the other does in none. They weigh as much as is
// said, shared among their steps.
constexpr std::int64_t kSteps = 20;

Samples sequences(double first, double second) {
  torch::manual_seed(3);
  const torch::Tensor states = torch::randn({kSteps, 4});
  Samples samples;
  samples.features = torch::cat({states, states});
  samples.actions = torch::cat({torch::zeros({kSteps}, torch::kLong), torch::ones({kSteps}, torch::kLong)});
  samples.weights =
      torch::cat({torch::full({kSteps}, first / kSteps), torch::full({kSteps}, second / kSteps)});
  samples.values = torch::zeros({2 * kSteps});
  samples.packages.assign(2 * kSteps, "p");
  return samples;
}

Samples half(const Samples& samples, std::int64_t which) {
  return {samples.features.slice(0, which * kSteps, (which + 1) * kSteps),
          samples.actions.slice(0, which * kSteps, (which + 1) * kSteps),
          samples.weights.slice(0, which * kSteps, (which + 1) * kSteps),
          samples.values.slice(0, which * kSteps, (which + 1) * kSteps),
          std::vector<std::string>(kSteps, "p")};
}

// A policy that already has opinions.
Network start() {
  torch::manual_seed(1);
  Network network(policy::NetworkShape{policy::Architecture::kResidual, 4, 16, 1, 3});
  const torch::NoGradGuard no_gradients;
  for (torch::Tensor& parameter : network->parameters()) parameter.add_(0.1 * torch::randn_like(parameter));
  return network;
}

// How much likelier each became, nats a step, and how far all moved.
struct Moved {
  double first = 0, second = 0, kl = 0;
};

Moved moved(double first, double second, AwrOptions options = {}) {
  torch::set_num_threads(1);
  const Samples samples = sequences(first, second);
  Network network = start();
  const double first_then = meanLogProbability(network, half(samples, 0));
  const double second_then = meanLogProbability(network, half(samples, 1));
  const AwrEpoch last = regress(network, samples, options, [](const AwrEpoch&) { return true; });
  return {meanLogProbability(network, half(samples, 0)) - first_then,
          meanLogProbability(network, half(samples, 1)) - second_then, last.kl};
}

TEST(AwrTest, TheBetterRewardedBecomesLikelier) {
  const Moved now = moved(2, 0.1);
  EXPECT_GT(now.first, 0.3);
  EXPECT_LT(now.second, 0);
  const Moved other = moved(0.1, 2);
  EXPECT_GT(other.second, 0.3);
}

TEST(AwrTest, NoiseMovesLessThanSignal) { EXPECT_LT(moved(0.02, 0.001).kl, moved(2, 0.1).kl / 20); }

TEST(AwrTest, WhatMustStayStays) {
  AwrOptions options;
  options.kl = 1e6;
  const Moved now = moved(2, 0.1, options);
  EXPECT_LT(now.kl, 1e-4);
  EXPECT_NEAR(now.first, 0, 0.02);
}

TEST(AwrTest, WhatIsNotSaidOfValuesStays) {
  Network network = start();
  const Samples samples = sequences(2, 0.1);
  const torch::Tensor then = network(samples.features).value.detach().clone();
  regress(network, samples, {}, [](const AwrEpoch&) { return true; });
  EXPECT_LT((network(samples.features).value - then).abs().max().item<double>(), 0.1);
}

TEST(AwrTest, TheSameSeedGivesTheSameWeights) {
  torch::set_num_threads(1);
  const auto trained = [](std::uint64_t seed) {
    Network network = start();
    AwrOptions options;
    options.epochs = 3;
    options.batch = 8;
    options.seed = seed;
    regress(network, sequences(2, 0.1), options, [](const AwrEpoch&) { return true; });
    return weightsOf(network);
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

TEST(AwrTest, EndsWhenAskedTo) {
  Network network = start();
  EXPECT_EQ(
      regress(network, sequences(1, 1), {}, [](const AwrEpoch& epoch) { return epoch.epoch < 2; }).epoch, 2);
}

}  // namespace
}  // namespace ordo::learn
