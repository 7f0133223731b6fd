#include "advice/imitate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "policy/learned_advisor.h"
#include "support/rng.h"

namespace ordo::advice {
namespace {

const env::DecisionSpec kSpec{"toy", 1, {"size", "uses", "noise"}, {"no", "yes"}};

// To say yes saves 32 bytes where the size is below 20 and costs 32 above; "yes" is usual in a third of
// cases.
std::vector<Example> examples(std::uint64_t seed, std::size_t count) {
  Rng rng(seed);
  std::vector<Example> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto size = static_cast<float>(rng.below(60));
    const auto usual = static_cast<std::uint32_t>(rng.chance(0.3));
    const float yes = size < 20 ? 32 : -32;
    Example example{
        {size, static_cast<float>(rng.below(5)), static_cast<float>(rng.below(100))}, usual, {0, 0}};
    example.saved[1 - usual] = usual == 0 ? yes : -yes;
    result.push_back(example);
  }
  return result;
}

TEST(ImitateTest, LearnsWhatSaves) {
  const std::vector<Example> train = examples(1, 600), held_out = examples(2, 200);
  const Imitation learned = imitate(kSpec, train, held_out, {.hidden = 16});
  EXPECT_LT(learned.held_out_loss, 0.3) << "that of knowing nothing is 1.5";
  const Result<policy::AdvisorWeights> weights = policy::AdvisorWeights::create(
      {kSpec, policy::Architecture::kResidual, {0, 0}, {0, 0, 0}, {100, 100, 100}, "", ""}, learned.tensors,
      "test");
  ASSERT_TRUE(weights) << weights.error().message;
  policy::Network::Scratch scratch;
  int right = 0;
  for (const Example& example : held_out) {
    const std::vector<std::uint8_t> both{1, 1};
    right += weights->answer({example.features, both, example.usual}, scratch) == (example.features[0] < 20);
  }
  EXPECT_GE(right, 185) << "of 200; cases at the border are hard";
}

TEST(ImitateTest, TheSameSeedGivesTheSameWeights) {
  const std::vector<Example> train = examples(1, 100), held_out = examples(2, 50);
  const ImitationSettings settings{.hidden = 8, .most_epochs = 3};
  EXPECT_EQ(imitate(kSpec, train, held_out, settings).tensors,
            imitate(kSpec, train, held_out, settings).tensors);
}

TEST(ImitateTest, WhatNobodyTriedTeachesNothing) {
  std::vector<Example> train = examples(1, 100);
  const std::vector<Example> held_out = examples(2, 50);
  const ImitationSettings settings{.hidden = 8, .most_epochs = 1};
  const Imitation without = imitate(kSpec, train, held_out, settings);
  Example untried{{1, 1, 1}, 0, {0, std::numeric_limits<float>::quiet_NaN()}};
  train.assign(100, untried);
  train.push_back(examples(1, 1)[0]);
  EXPECT_TRUE(std::isfinite(imitate(kSpec, train, held_out, settings).held_out_loss));
  EXPECT_TRUE(std::isfinite(without.loss));
}

}  // namespace
}  // namespace ordo::advice
