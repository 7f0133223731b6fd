#include "policy/view.h"

#include <gtest/gtest.h>

#include <array>

#include "notation/action.h"
#include "tests/fakes/random_policy.h"

namespace ordo::policy {
namespace {

// A state with so many instructions and nothing else.
class State {
 public:
  explicit State(std::int64_t instructions) {
    counts_[kTotalInsts] = instructions;
    const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
    observations_ = {{DType::kInt64, {56}, bytes(counts_)}, {DType::kFloat32, {64}, bytes(embedding_)}};
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  operator std::span<const env::Observation>() const { return observations_; }

 private:
  std::array<std::int64_t, 56> counts_{};
  std::array<float, 64> embedding_{};
  std::vector<env::Observation> observations_;
};

std::vector<env::Action> actionsNamed(const std::vector<std::string>& names) {
  std::vector<env::Action> actions;
  for (const std::string& name : names) actions.push_back({name, notation::kPipeline, name});
  return actions;
}

std::shared_ptr<const Policy> samplePolicy() {
  auto policy = Policy::parse(fakes::randomPolicy(fakes::samplePolicyShape(4, 8, 1)), "p");
  ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  return std::make_shared<const Policy>(*std::move(policy));
}

Task task(const std::string& objective = "ir_instructions") { return {objective, 100, 50, 10}; }

TEST(ViewTest, WhatIsSeenIsWhatTheEncoderSaysOfTheSituation) {
  const auto policy = samplePolicy();
  auto view = View::create(policy, actionsNamed({"a2", "a0", "a3"}), task());
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->observations(), (std::vector<std::string>{"autophase", "ir2vec"}));
  EXPECT_FALSE(view->started());
  const State start(100), now(40);
  std::vector<float> features(policy->encoder().width()), expected(features.size());
  ASSERT_TRUE(view->see({}, start, false, features));
  EXPECT_TRUE(view->started());
  const std::array<env::ActionIndex, 2> actions{0, 1};
  ASSERT_TRUE(view->see(actions, now, true, features));

  const std::span<const env::Observation> first = start, last = now;
  const std::array<std::uint32_t, 2> history{2, 0};
  Situation situation;
  situation.observations = {Situation::Pair{first[0], last[0]}, Situation::Pair{first[1], last[1]}};
  situation.history = history;
  situation.preference = {1};
  situation.start_value = 100;
  situation.baseline_value = 50;
  situation.value = 40;
  situation.steps = 2;
  situation.max_steps = 10;
  situation.only = true;
  ASSERT_TRUE(policy->encoder().encode(situation, expected));
  EXPECT_EQ(features, expected);
}

TEST(ViewTest, OnlyInstructionsAreKnownWithoutMeasuring) {
  const auto policy = samplePolicy();
  std::vector<float> features(policy->encoder().width()), other(features.size());
  const auto differs = [&](const std::string& objective) {
    auto view = View::create(policy, actionsNamed({"a0", "a1"}), task(objective));
    const State start(100);
    EXPECT_TRUE(view->see({}, start, false, features));
    Task unknown = task(objective);
    unknown.baseline_value.reset();  // then the value cannot be compared with it
    EXPECT_TRUE(View::create(policy, actionsNamed({"a0", "a1"}), unknown)->see({}, start, false, other));
    std::size_t count = 0;
    for (std::size_t i = 0; i < features.size(); ++i) count += features[i] != other[i];
    return count;
  };
  EXPECT_EQ(differs("ir_instructions"), 4u) << "baseline and value, each with whether it is known";
  EXPECT_EQ(differs("text_bytes"), 2u);
}

TEST(ViewTest, SaysWhatDoesNotFit) {
  const auto policy = samplePolicy();
  EXPECT_EQ(View::create(policy, actionsNamed({"a0", "b", "c"}), task()).error().code,
            ErrorCode::kUnsupported);
  const auto unknown = View::create(policy, actionsNamed({"a0", "a1"}), task("beauty"));
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("beauty"), std::string::npos);
}

TEST(ViewTest, CountsInstructionsWhereAutophaseHasThem) {
  const State state(1234);
  EXPECT_EQ(totalInstructions(std::span<const env::Observation>(state).front()), 1234);
}

}  // namespace
}  // namespace ordo::policy
