#include "policy/grown.h"

#include <gtest/gtest.h>

#include <numeric>

#include "policy/schema.h"
#include "tests/fakes/random_policy.h"

namespace ordo::policy {
namespace {

constexpr std::size_t kActions = 4;

// Features with something in each place, where the actions so far were old ones.
std::vector<float> features(const Encoder& encoder, std::size_t actions) {
  std::vector<float> all;
  for (const FeatureGroup& group : groupsOf(encoder.schema())) {
    const bool of_actions = group.name.starts_with("history.");
    for (std::size_t i = 0; i < group.width; ++i)
      all.push_back(of_actions && i >= actions ? 0.0f
                                               : 0.01f * static_cast<float>((all.size() - i + 7 * i) % 13));
  }
  return all;
}

class GrownTest : public testing::TestWithParam<Architecture> {};

TEST_P(GrownTest, SaysOfOldActionsWhatItSaidAndOfNewOnesTheMean) {
  const bool linear = GetParam() == Architecture::kLinear;
  const std::string bytes = fakes::randomPolicy(
      linear ? NetworkShape{Architecture::kLinear, Encoder(kActions).width(), 0, 0, kActions + 1}
             : fakes::samplePolicyShape(kActions, 8, 1));
  const auto before = Policy::parse(bytes, "before");
  ASSERT_TRUE(before) << before.error().message;
  PolicyInfo info = before->info();
  const Encoder encoder(kActions + 2);
  info.actions.insert(info.actions.end() - 1, {"new", "newer"});
  info.schema_hash = encoder.schemaHash();
  auto tensors = grown(*before, parseSafetensors(bytes, "before")->tensors, info.actions);
  ASSERT_TRUE(tensors) << tensors.error().message;
  const auto after = Policy::parse(writePolicy(info, *tensors), "after");
  ASSERT_TRUE(after) << after.error().message;

  Network::Scratch scratch, others;
  // The same numbers in the groups of both; the new places of a history have nothing.
  const std::vector<float> wide = features(encoder, kActions);
  std::vector<float> narrow;
  std::size_t at = 0;
  for (const FeatureGroup& group : groupsOf(encoder.schema())) {
    const std::size_t width = group.name.starts_with("history.") ? group.width - 2 : group.width;
    narrow.insert(narrow.end(), wide.begin() + static_cast<std::ptrdiff_t>(at),
                  wide.begin() + static_cast<std::ptrdiff_t>(at + width));
    at += group.width;
  }
  const Network::Output was = before->evaluate(narrow, scratch), is = after->evaluate(wide, others);
  EXPECT_NEAR(is.value, was.value, 1e-5);
  for (std::size_t i = 0; i < kActions; ++i) EXPECT_NEAR(is.logits[i], was.logits[i], 1e-5);
  EXPECT_NEAR(is.logits.back(), was.logits.back(), 1e-5) << "stop";
  const float mean = std::accumulate(was.logits.begin(), was.logits.end() - 1, 0.0f) / kActions;
  EXPECT_NEAR(is.logits[kActions], mean, 1e-5);
  EXPECT_NEAR(is.logits[kActions + 1], mean, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, GrownTest, testing::Values(Architecture::kResidual, Architecture::kLinear),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST(GrownWeightsTest, ASpaceThatBeganOtherwiseIsRefused) {
  const std::string bytes = fakes::randomPolicy(fakes::samplePolicyShape(kActions, 8, 1));
  const auto before = Policy::parse(bytes, "before");
  ASSERT_TRUE(before);
  std::vector<std::string> actions = before->info().actions;
  actions.front() = "another";
  EXPECT_EQ(grown(*before, {}, actions).error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(grown(*before, {}, std::span(before->info().actions).subspan(1))) << "it shrank";
}

}  // namespace
}  // namespace ordo::policy
