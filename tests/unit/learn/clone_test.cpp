#include "learn/clone.h"

#include <gtest/gtest.h>

namespace ordo::learn {
namespace {

// What to do is the larger of two features, what it is worth their sum; weights are ones.
Samples samples(std::int64_t count, std::uint64_t seed) {
  torch::manual_seed(seed);
  Samples samples;
  samples.features = torch::randn({count, 2});
  samples.actions = samples.features.argmax(1);
  samples.weights = torch::ones({count});
  samples.values = samples.features.sum(1);
  samples.packages.assign(static_cast<std::size_t>(count), "p");
  return samples;
}

policy::NetworkShape shape() { return {policy::Architecture::kResidual, 2, 16, 1, 3}; }

TEST(CloneTest, LearnsWhatToDoAndWhatItIsWorth) {
  torch::manual_seed(1);
  Network network(shape());
  int epochs = 0;
  const CloneEpoch best = clone(network, samples(2000, 1), samples(500, 2), {}, [&](const CloneEpoch& epoch) {
    EXPECT_EQ(epoch.epoch, ++epochs);
    return true;
  });
  EXPECT_GT(best.held_out_accuracy, 0.95);
  EXPECT_LT(best.held_out_value_error, 0.3);
  EXPECT_LE(best.epoch, epochs);
}

TEST(CloneTest, WhatWeighsNothingIsNotLearned) {
  Samples wrong = samples(1000, 1);
  wrong.actions = 1 - wrong.actions;
  wrong.weights.fill_(1e-6);
  const Samples right = samples(1000, 3);
  Samples both = right;
  both.features = torch::cat({right.features, wrong.features});
  both.actions = torch::cat({right.actions, wrong.actions});
  both.weights = torch::cat({right.weights, wrong.weights});
  both.values = torch::cat({right.values, wrong.values});
  torch::manual_seed(1);
  Network network(shape());
  EXPECT_GT(
      clone(network, both, samples(500, 2), {}, [](const CloneEpoch&) { return true; }).held_out_accuracy,
      0.9);
}

TEST(CloneTest, EndsWhenAskedToWithTheBestSoFar) {
  torch::manual_seed(1);
  Network network(shape());
  const CloneEpoch best = clone(network, samples(500, 1), samples(100, 2), {},
                                [](const CloneEpoch& epoch) { return epoch.epoch < 3; });
  EXPECT_LE(best.epoch, 3);
  const torch::NoGradGuard no_gradients;
  const Samples held_out = samples(100, 2);
  const double accuracy = network(held_out.features)
                              .logits.argmax(1)
                              .eq(held_out.actions)
                              .to(torch::kFloat)
                              .mean()
                              .item<double>();
  EXPECT_NEAR(accuracy, best.held_out_accuracy, 1e-6);
}

TEST(CloneTest, TheSameSeedGivesTheSameWeights) {
  torch::set_num_threads(1);
  const auto trained = [] {
    torch::manual_seed(1);
    Network network(shape());
    CloneOptions options;
    options.epochs = 3;
    clone(network, samples(300, 1), samples(100, 2), options, [](const CloneEpoch&) { return true; });
    return weightsOf(network);
  };
  EXPECT_EQ(trained(), trained());
}

}  // namespace
}  // namespace ordo::learn
