#include "env/vector_env.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/env/episode_fixture.h"

namespace ordo::env {
namespace {

// Arrays for one batch, and what a row of them says.
struct Arrays {
  explicit Arrays(const VectorEnv& env)
      : rows(env.spec().batch),
        observations(rows * 4),
        finals(rows * 4),
        masks(rows * env.episodes().choices()),
        environments(rows),
        rewards(rows),
        terminated(rows),
        truncated(rows),
        programs(rows) {
    batch.observations = {reinterpret_cast<std::byte*>(observations.data())};
    batch.final_observations = {reinterpret_cast<std::byte*>(finals.data())};
    batch.masks = masks.data();
    batch.environments = environments.data();
    batch.rewards = rewards.data();
    batch.terminated = terminated.data();
    batch.truncated = truncated.data();
    batch.programs = programs.data();
  }

  std::uint32_t rows;
  std::vector<std::int64_t> observations, finals;
  std::vector<std::uint8_t> masks;
  std::vector<std::int32_t> environments;
  std::vector<double> rewards;
  std::vector<std::uint8_t> terminated, truncated;
  std::vector<std::int64_t> programs;
  Batch batch;
};

class VectorEnvTest : public testing::Test {
 protected:
  std::unique_ptr<VectorEnv> make(Backend& backend, VectorSpec spec, std::uint32_t max_steps = 5) {
    auto episodes = toyEpisodes(backend);
    episodes->max_steps = max_steps;
    episodes->sensors = value(findSensors(allSensors(value(backend.describe()), {}, 1, 0), {"counters"}));
    if (spec.programs.empty()) spec.programs = {"toy:100", "toy:200", "toy:300", "toy:400"};
    return value(VectorEnv::create(episodes, spec, &programs_));
  }

  // What happens in each environment when a policy of its own picks the actions: rewards and counts.
  std::map<int, std::vector<std::int64_t>> play(VectorEnv& env, int steps_each) {
    Arrays arrays(env);
    std::map<int, std::vector<std::int64_t>> story;
    check(env.reset());
    std::vector<std::int64_t> actions;
    std::vector<std::int32_t> ids;
    while (env.underWay() > 0) {
      const std::uint32_t rows = value(env.recv(arrays.batch));
      actions.clear();
      ids.clear();
      for (std::uint32_t row = 0; row < rows; ++row) {
        const std::int32_t id = arrays.environments[row];
        std::vector<std::int64_t>& told = story[id];
        told.insert(told.end(), {arrays.observations[4 * row], static_cast<std::int64_t>(arrays.rewards[row]),
                                 arrays.terminated[row], arrays.truncated[row], arrays.programs[row]});
        if (told.size() >= static_cast<std::size_t>(5 * steps_each)) continue;
        Rng rng = Rng(static_cast<std::uint64_t>(id)).stream(told.size());
        actions.push_back(static_cast<std::int64_t>(rng.below(kBreak)));
        ids.push_back(id);
      }
      if (!ids.empty()) check(env.send(actions, ids));
    }
    return story;
  }

  ToyPrograms programs_;
  fakes::ToyBackend toy_;
};

TEST_F(VectorEnvTest, StepsAllEnvironmentsInOrder) {
  const auto env = make(toy_, {.environments = 3, .order = ProgramOrder::kCycle});
  Arrays arrays(*env);
  check(env->reset());
  EXPECT_EQ(value(env->recv(arrays.batch)), 3u);
  EXPECT_EQ(arrays.observations[0], 100);
  EXPECT_EQ(arrays.observations[8], 300);
  check(env->send(std::vector<std::int64_t>{kDec, kNoop, kHalve}));
  EXPECT_EQ(value(env->recv(arrays.batch)), 3u);
  EXPECT_EQ(arrays.environments, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(arrays.rewards, (std::vector<double>{1, 0, 150}));
  EXPECT_EQ(arrays.masks[env->episodes().choices() + kNoop], 0) << "it did nothing there";
  EXPECT_EQ(arrays.masks[kNoop], 1);
}

// The same seed tells the same stories however many environments there are and whoever is ready first.
TEST_F(VectorEnvTest, EpisodesDependOnSeedAndNumberOnly) {
  IsolatedBackend workers(startToyZygote(), toyLimits(), nullptr);
  const auto alone = make(toy_, {.environments = 2, .seed = 9});
  const auto expected = play(*alone, 40);
  for (const std::uint32_t batch : {2u, 5u}) {
    const auto env = make(workers, {.environments = 5, .batch = batch, .seed = 9});
    auto story = play(*env, 40);
    EXPECT_EQ(story.size(), 5u);
    EXPECT_EQ(story[0], expected.at(0)) << batch;
    EXPECT_EQ(story[1], expected.at(1)) << batch;
  }
  const auto other = make(toy_, {.environments = 2, .seed = 10});
  EXPECT_NE(play(*other, 40), expected);
}

TEST_F(VectorEnvTest, NextStepAutoresetIgnoresTheActionAfterTheEnd) {
  const auto env = make(toy_, {.environments = 1, .order = ProgramOrder::kCycle});
  Arrays arrays(*env);
  check(env->reset());
  value(env->recv(arrays.batch));
  check(env->send(std::vector<std::int64_t>{kStop}));
  value(env->recv(arrays.batch));
  EXPECT_EQ(arrays.terminated[0], 1);
  EXPECT_EQ(arrays.observations[0], 100);
  check(env->send(std::vector<std::int64_t>{kHalve}));
  value(env->recv(arrays.batch));
  EXPECT_EQ(arrays.terminated[0], 0);
  EXPECT_EQ(arrays.rewards[0], 0);
  EXPECT_EQ(arrays.observations[0], 200) << "the next program, untouched";
}

TEST_F(VectorEnvTest, SameStepAutoresetReturnsTheFirstObservationOfTheNextEpisode) {
  const auto env =
      make(toy_, {.environments = 1, .autoreset = Autoreset::kSameStep, .order = ProgramOrder::kCycle}, 2);
  Arrays arrays(*env);
  check(env->reset());
  value(env->recv(arrays.batch));
  check(env->send(std::vector<std::int64_t>{kHalve}));
  value(env->recv(arrays.batch));
  check(env->send(std::vector<std::int64_t>{kDec}));
  value(env->recv(arrays.batch));
  EXPECT_EQ(arrays.truncated[0], 1);
  EXPECT_EQ(arrays.rewards[0], 1);
  EXPECT_EQ(arrays.finals[0], 49);
  EXPECT_EQ(arrays.observations[0], 200);
  check(env->send(std::vector<std::int64_t>{kDec}));
  value(env->recv(arrays.batch));
  EXPECT_EQ(arrays.truncated[0], 0);
  EXPECT_EQ(arrays.rewards[0], 1);
}

TEST_F(VectorEnvTest, WithoutAutoresetTheCallerResets) {
  const auto env = make(toy_, {.environments = 2, .autoreset = Autoreset::kDisabled}, 1);
  Arrays arrays(*env);
  check(env->reset());
  value(env->recv(arrays.batch));
  check(env->send(std::vector<std::int64_t>{kDec, kDec}));
  value(env->recv(arrays.batch));
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{kDec, kDec}));
  const std::uint32_t second[] = {1};
  check(env->reset(second));
  EXPECT_EQ(value(env->recv(arrays.batch)), 1u);
  EXPECT_EQ(arrays.environments[0], 1);
}

TEST_F(VectorEnvTest, ABadProgramIsSkippedAndNamed) {
  const auto env =
      make(toy_, {.environments = 1, .programs = {"toy:bad", "toy:7"}, .order = ProgramOrder::kCycle});
  Arrays arrays(*env);
  check(env->reset());
  value(env->recv(arrays.batch));
  EXPECT_EQ(arrays.observations[0], 7);
  ASSERT_EQ(env->skipped().size(), 1u);
  EXPECT_EQ(env->skipped()[0].uri, "toy:bad");
  const auto hopeless = make(toy_, {.environments = 1, .programs = {"toy:bad"}});
  EXPECT_FALSE(hopeless->reset());
}

TEST_F(VectorEnvTest, WrongCallsAreErrors) {
  const auto env = make(toy_, {.environments = 2});
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0, 0})) << "before a reset";
  Arrays arrays(*env);
  check(env->reset());
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0, 0})) << "not received yet";
  value(env->recv(arrays.batch));
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0})) << "one action for two";
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0, 99}));
  const std::int32_t nobody[] = {7};
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0}, nobody));
}

TEST_F(VectorEnvTest, WhatIsWrongWithOneActionKeepsAllFromBeingSent) {
  const auto env = make(toy_, {.environments = 2, .autoreset = Autoreset::kDisabled});
  Arrays arrays(*env);
  check(env->reset());
  value(env->recv(arrays.batch));
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0, 99}));
  EXPECT_EQ(env->underWay(), 0u);
  EXPECT_FALSE(env->send(std::vector<std::int64_t>{0, 0}, std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(env->underWay(), 0u);
  check(env->send(std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(value(env->recv(arrays.batch)), 2u);
}

TEST_F(VectorEnvTest, ASeedForgetsWhatEarlierEpisodesLearned) {
  const auto env = make(toy_, {.environments = 1, .programs = {"toy:100"}});
  Arrays arrays(*env);
  const auto maskAfterReset = [&](std::optional<std::uint64_t> seed) {
    check(env->reset({}, seed));
    value(env->recv(arrays.batch));
    return arrays.masks;
  };
  const std::vector<std::uint8_t> before = maskAfterReset(1);
  // What does nothing is masked where it does nothing.
  check(env->send(std::vector<std::int64_t>{kNoop}));
  value(env->recv(arrays.batch));
  EXPECT_NE(maskAfterReset({}), before);
  EXPECT_EQ(maskAfterReset(1), before);
}

TEST_F(VectorEnvTest, WhoeverIsWaitingMayGiveUp) {
  IsolatedBackend workers(startToyZygote(), toyLimits(), nullptr);
  auto episodes = toyEpisodes(workers);
  episodes->actions[kCrash].text = "hang";
  auto env = value(VectorEnv::create(episodes, {.environments = 1, .programs = {"toy:100"}}, &programs_));
  Arrays arrays(*env);
  check(env->reset());
  value(env->recv(arrays.batch));
  check(env->send(std::vector<std::int64_t>{kCrash}));
  EXPECT_EQ(value(env->recv(arrays.batch, [] { return false; })), 0u);
  EXPECT_EQ(value(env->recv(arrays.batch)), 1u) << "nothing is lost";
}

TEST_F(VectorEnvTest, SensorsOfNoFixedSizeAreRefused) {
  const auto env = VectorEnv::create(toyEpisodes(toy_, "count", {"text"}),
                                     {.environments = 1, .programs = {"toy:1"}}, &programs_);
  ASSERT_FALSE(env);
  EXPECT_NE(env.error().message.find("text"), std::string::npos);
}

}  // namespace
}  // namespace ordo::env
