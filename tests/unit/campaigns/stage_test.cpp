#include "campaigns/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/view.h"
#include "tests/fakes/random_policy.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::campaigns {
namespace {

// Programs "toy/<count>" whose instructions and bytes are their count, with a baseline of two fewer, which is
// said to have twice the bytes.
class CountingHost final : public study::Host {
 public:
  Result<std::unique_ptr<study::Site>> openSite() override { return toy_.openSite(); }
  Result<study::Subject> prepare(const std::string& uri) override {
    ORDO_TRY_ASSIGN(study::Subject subject, toy_.prepare(uri));
    const double count = std::stod(uri.substr(uri.find('/') + 1));
    subject.program.references = {{"initial", "ir_instructions", count},
                                  {"clang-Oz", "ir_instructions", count - 2},
                                  {"clang-Oz", "text_bytes", 2 * (count - 2)}};
    return subject;
  }

 private:
  study::ToyHost toy_;
};

// Always these logits, stop being the last.
std::shared_ptr<const policy::Policy> policyWith(const std::vector<float>& logits) {
  return fakes::constantPolicy({"dec", "noop", "crash"}, logits);
}

TEST(StageTest, AnEpisodeIsWhatThePolicyDidAndWhatItCameTo) {
  CountingHost host;
  Stage stage(host, {.max_actions = 4, .stop = nullptr});
  const auto groups = stage.play(policyWith({1, 0, 0, 0}), {{"toy/100", "ir_instructions", 1, 0, 0}});
  ASSERT_TRUE(groups) << groups.error().message;
  ASSERT_EQ(groups->size(), 1u);
  EXPECT_EQ(groups->front().uri, "toy/100");
  ASSERT_EQ(groups->front().episodes.size(), 1u);
  const policy::Trajectory& episode = groups->front().episodes.front();
  EXPECT_FALSE(episode.failed);
  EXPECT_DOUBLE_EQ(episode.gain, 1 - 96.0 / 98);
  ASSERT_EQ(episode.steps.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(episode.steps[i].choice, 0u);
    EXPECT_FLOAT_EQ(episode.steps[i].saved_instructions, 1.0f / 98);
    EXPECT_NEAR(episode.steps[i].log_probability, 1 - std::log(3 + std::exp(1)), 1e-6);
  }
}

TEST(StageTest, AnEpisodeForSeveralMetricsIsWorthTheirWeightedMean) {
  CountingHost host;
  Stage stage(host, {.max_actions = 4, .stop = nullptr});
  const auto groups =
      stage.play(policyWith({1, 0, 0, 0}), {{"toy/100", "ir_instructions=1+text_bytes=3", 1, 0, 0}});
  ASSERT_TRUE(groups) << groups.error().message;
  ASSERT_EQ(groups->front().episodes.size(), 1u) << groups->front().problem;
  EXPECT_NEAR(groups->front().episodes.front().gain,
              1 - std::pow(96.0 / 98, 0.25) * std::pow(96.0 / 196, 0.75), 1e-9);
}

TEST(StageTest, ChanceFollowsTheExerciseAlone) {
  CountingHost host;
  const auto policy = policyWith({1, 1, -1, 0});
  const std::vector<Exercise> exercises{{"toy/50", "ir_instructions", 20, 1, 7},
                                        {"toy/60", "ir_instructions", 20, 1, 8}};
  const auto choicesOf = [&](const std::vector<Exercise>& wanted, unsigned jobs) {
    Stage stage(host, {.jobs = jobs, .stop = nullptr});
    std::vector<std::vector<std::uint32_t>> choices;
    const auto groups = stage.play(policy, wanted);
    for (const policy::TrajectoryGroup& group : *groups) {
      choices.emplace_back();
      for (const policy::Trajectory& episode : group.episodes) {
        for (const policy::TrajectoryStep& step : episode.steps) choices.back().push_back(step.choice);
      }
    }
    return choices;
  };
  const auto both = choicesOf(exercises, 1);
  EXPECT_EQ(choicesOf(exercises, 2), both);
  EXPECT_EQ(choicesOf({exercises[1]}, 1)[0], both[1]);
  EXPECT_NE(both[0], both[1]);
}

TEST(StageTest, AFailureIsWorthTheLeast) {
  CountingHost host;
  Stage stage(host, {.stop = nullptr});
  const auto groups = stage.play(policyWith({0, 0, 9, 1}), {{"toy/100", "ir_instructions", 2, 0, 0}});
  ASSERT_TRUE(groups);
  const policy::Trajectory& failed = groups->front().episodes[0];
  EXPECT_TRUE(failed.failed);
  EXPECT_EQ(failed.gain, -1);
  const policy::Trajectory& wiser = groups->front().episodes[1];
  EXPECT_FALSE(wiser.failed) << "it is not offered what is known to fail";
  ASSERT_EQ(wiser.steps.size(), 1u);
  EXPECT_EQ(wiser.steps[0].masked, std::vector<std::uint32_t>{2});
  EXPECT_EQ(wiser.steps[0].choice, 3u);
}

TEST(StageTest, WhatChangesNothingIsTriedOnce) {
  CountingHost host;
  Stage stage(host, {.max_actions = 2, .stop = nullptr});
  const auto groups = stage.play(policyWith({1, 9, 0, 0}), {{"toy/100", "ir_instructions", 1, 0, 0}});
  ASSERT_TRUE(groups);
  const policy::Trajectory& episode = groups->front().episodes.front();
  ASSERT_EQ(episode.steps.size(), 4u);
  EXPECT_EQ(episode.steps[0].choice, 1u);
  EXPECT_TRUE(episode.steps[0].masked.empty());
  EXPECT_EQ(episode.steps[1].choice, 0u);
  EXPECT_EQ(episode.steps[1].masked, std::vector<std::uint32_t>{1});
  EXPECT_EQ(episode.steps[2].choice, 1u) << "it is another state now";
  EXPECT_DOUBLE_EQ(episode.gain, 0) << "two fewer, as the baseline";
}

TEST(StageTest, AnOnlyAnswerGoesOnAndBackToTheBest) {
  CountingHost host;
  Stage stage(host, {.stop = nullptr});
  const auto policy = fakes::constantPolicy({"dec", "inc"}, {0, 1, 9});
  const auto groups = stage.play(policy, {{"toy/100", "ir_instructions", 1, 0, 0, true}});
  ASSERT_TRUE(groups);
  EXPECT_TRUE(groups->front().only);
  const policy::Trajectory& episode = groups->front().episodes.front();
  EXPECT_EQ(episode.steps.size(), policy::kOnlySteps);
  EXPECT_EQ(episode.steps[0].masked, std::vector<std::uint32_t>{2}) << "not to stop";
  EXPECT_DOUBLE_EQ(episode.gain, 1 - 100.0 / 98) << "it only got worse";
}

TEST(StageTest, ProgramsThatAreToBlameAreToldApartFromUs) {
  CountingHost host;
  Stage stage(host, {.stop = nullptr});
  const auto policy = policyWith({1, 0, 0, 0});
  const auto groups =
      stage.play(policy, {{"toy/bad", "ir_instructions", 1, 0, 0}, {"toy/9", "cost", 1, 0, 0}});
  ASSERT_TRUE(groups) << groups.error().message;
  for (const policy::TrajectoryGroup& group : *groups) {
    EXPECT_TRUE(group.episodes.empty());
    EXPECT_NE(group.problem, "");
  }
  EXPECT_FALSE(stage.play(policy, {{"toy/broken", "ir_instructions", 1, 0, 0}}));
  std::atomic<bool> stop = true;
  Stage stopped(host, {.stop = &stop});
  EXPECT_EQ(stopped.play(policy, {{"toy/9", "ir_instructions", 1, 0, 0}}).error().code,
            ErrorCode::kDeadlineExceeded);
}

TEST(StageTest, CountsInstructionsOfWhatIsToBeHad) {
  CountingHost host;
  Stage stage(host, {.jobs = 2, .stop = nullptr});
  EXPECT_EQ(*stage.instructions({"toy/12", "toy/bad", "toy/7"}),
            (std::vector<std::optional<double>>{12, std::nullopt, 7}));
}

TEST(StageTest, EpisodesBeginWithWhatIsProposedForThem) {
  CountingHost host;
  Stage stage(host, {.max_actions = 4, .stop = nullptr});
  Exercise exercise{"toy/100", "ir_instructions", 4, 0, 0};
  exercise.openings = {{"dec", "dec", "dec"}, {}, {"dec", "nobody"}};
  const auto groups = stage.play(policyWith({0, 0, 0, 9}), {exercise});
  ASSERT_TRUE(groups) << groups.error().message;
  std::vector<double> values;
  for (const policy::Trajectory& episode : groups->front().episodes) {
    values.push_back(98 * (1 - episode.gain));
    ASSERT_EQ(episode.steps.size(), 1u) << "what is proposed is no choice of the policy's";
    EXPECT_EQ(episode.steps[0].choice, 3u);
  }
  EXPECT_THAT(values, testing::ElementsAre(97, 100, 100, 100));
}

}  // namespace
}  // namespace ordo::campaigns
