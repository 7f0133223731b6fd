#include "learn/reinforce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "learn/losses.h"

namespace ordo::learn {
namespace {

constexpr std::int64_t kActions = 4;  // the last is stop

policy::NetworkShape shape() { return {policy::Architecture::kResidual, 3, 16, 1, kActions}; }

// Episodes of two choices as `network` would make them. Action 1 saves a tenth of the instructions each time,
// action 2 fails.
policy::TrajectoryGroup episodes(Network& network, std::size_t count, const std::string& objective) {
  policy::TrajectoryGroup group{.uri = "p", .objective = objective};
  const torch::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < count; ++i) {
    policy::Trajectory episode;
    for (int step = 0; step < 2 && !episode.failed; ++step) {
      policy::TrajectoryStep made;
      made.features = {1, static_cast<float>(step), 0};
      const torch::Tensor logits = network(torch::tensor(made.features).view({1, 3})).logits;
      const torch::Tensor choice = torch::multinomial(torch::softmax(logits, 1), 1);
      made.choice = static_cast<std::uint32_t>(choice.item<std::int64_t>());
      made.log_probability = logProbabilities(logits, choice.view({1})).item<float>();
      made.saved_instructions = made.choice == 1 ? 0.1f : 0.0f;
      episode.gain += made.saved_instructions;
      episode.failed = made.choice == 2;
      episode.steps.push_back(std::move(made));
    }
    if (episode.failed) episode.gain = -1;
    group.episodes.push_back(std::move(episode));
  }
  return group;
}

double probability(Network& network, std::int64_t action) {
  const torch::NoGradGuard no_gradients;
  return torch::softmax(network(torch::tensor({1.0f, 0.0f, 0.0f}).view({1, 3})).logits, 1)[0][action]
      .item<double>();
}

ReinforceOptions options(Algorithm algorithm) {
  ReinforceOptions options;
  options.algorithm = algorithm;
  options.learning_rate = 5e-3;
  return options;
}

TEST(ReinforceTest, EveryAlgorithmLearnsWhatPays) {
  for (const Algorithm algorithm : {Algorithm::kPpo, Algorithm::kGrpo, Algorithm::kReinforcePlusPlus}) {
    for (const bool immediate : {false, true}) {
      torch::manual_seed(1);
      Network network(shape());
      ReinforceOptions how = options(algorithm);
      how.immediate_reward = immediate;
      Reinforcer reinforcer(network, how);
      for (int i = 0; i < 30; ++i) {
        const UpdateReport report = reinforcer.update({episodes(network, 16, "ir_instructions")});
        EXPECT_EQ(report.episodes, 16u);
        EXPECT_GE(report.kl, 0);
      }
      EXPECT_GT(probability(network, 1), 0.6) << name(algorithm) << immediate;
      EXPECT_LT(probability(network, 2), 0.15) << name(algorithm) << immediate;
    }
  }
}

TEST(ReinforceTest, AReferenceHoldsItBack) {
  const auto learned = [](double kl) {
    torch::manual_seed(1);
    Network network(shape());
    ReinforceOptions how = options(Algorithm::kGrpo);
    how.kl = kl;
    Reinforcer reinforcer(network, how);
    for (int i = 0; i < 30; ++i) reinforcer.update({episodes(network, 16, "ir_instructions")});
    return probability(network, 1);
  };
  EXPECT_LT(learned(5), learned(0) - 0.2);
}

TEST(ReinforceTest, WhatCouldNotBeChosenIsOutOfTheQuestion) {
  torch::manual_seed(1);
  Network network(shape());
  ReinforceOptions how = options(Algorithm::kGrpo);
  how.learning_rate = how.entropy = how.value_weight = 0;
  Reinforcer reinforcer(network, how);
  policy::TrajectoryGroup group{.uri = "a", .objective = "text_bytes"};
  for (const std::uint32_t choice : {0u, 3u}) {
    policy::TrajectoryStep step{.features = {1, 0, 0}, .choice = choice, .masked = {1, 2}};
    step.log_probability = std::log(0.5f);  // of the two that are left, which the network likes alike
    group.episodes.push_back({.steps = {std::move(step)}, .gain = choice == 0 ? 0.1 : 0.0});
  }
  const UpdateReport report = reinforcer.update({group});
  EXPECT_NEAR(report.entropy, std::log(2.0), 1e-5);
  EXPECT_NEAR(report.loss, 0, 1e-5) << "ratios of 1, and advantages that add up to nothing";
}

TEST(ReinforceTest, WhatIsToBeKeptIsKept) {
  // Of two states that look alike to a network that knows nothing, one is practised and one kept.
  const auto drift = [](double weight) {
    torch::manual_seed(1);
    Network network(shape());
    const torch::Tensor other = torch::tensor({0.5f, 0.0f, 1.0f}).view({1, 3});
    const auto there = [&] {
      const torch::NoGradGuard no_gradients;
      return torch::softmax(network(other).logits, 1)[0][1].item<double>();
    };
    Reinforcer reinforcer(network, options(Algorithm::kGrpo));
    if (weight > 0) reinforcer.keep(other, weight);
    const double before = there();
    for (int i = 0; i < 30; ++i) reinforcer.update({episodes(network, 16, "ir_instructions")});
    EXPECT_GT(probability(network, 1), 0.5);
    return std::fabs(there() - before);
  };
  EXPECT_GT(drift(0), 0.2);
  EXPECT_LT(drift(3), 0.1);
}

TEST(ReinforceTest, WhereAllAreAsGoodNothingIsLearned) {
  torch::manual_seed(1);
  Network network(shape());
  ReinforceOptions how = options(Algorithm::kGrpo);
  how.entropy = how.value_weight = 0;
  Reinforcer reinforcer(network, how);
  policy::TrajectoryGroup group = episodes(network, 8, "text_bytes");
  for (policy::Trajectory& episode : group.episodes) episode.gain = 0.5;
  reinforcer.update({group});
  EXPECT_NEAR(probability(network, 1), 0.25, 1e-4);
}

TEST(ReinforceTest, GroupsWithoutEpisodesAreNoTrouble) {
  Network network(shape());
  Reinforcer reinforcer(network, options(Algorithm::kPpo));
  EXPECT_EQ(reinforcer.update({}).steps, 0u);
  const UpdateReport report = reinforcer.update(
      {{.uri = "a", .objective = "text_bytes", .problem = "broken"}, episodes(network, 4, "text_bytes")});
  EXPECT_EQ(report.episodes, 4u);
  EXPECT_TRUE(std::isfinite(report.loss));
}

TEST(ReinforceTest, TheSameSeedGivesTheSameWeights) {
  const auto trained = [] {
    torch::set_num_threads(1);
    torch::manual_seed(4);
    Network network(shape());
    Reinforcer reinforcer(network, options(Algorithm::kPpo));
    for (int i = 0; i < 3; ++i) reinforcer.update({episodes(network, 8, "ir_instructions")});
    return weightsOf(network);
  };
  EXPECT_EQ(trained(), trained());
}

TEST(ReinforceTest, AlgorithmsHaveNames) {
  for (const char* text : {"ppo", "grpo", "reinforce++"}) EXPECT_EQ(name(*algorithmOf(text)), text);
  EXPECT_EQ(algorithmOf("dqn").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::learn
