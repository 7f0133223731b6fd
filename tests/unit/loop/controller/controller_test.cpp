#include "loop/controller/controller.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/fakes/simulated_loop.h"

namespace ordo::loop {
namespace {

using fakes::SimulatedLoop;

TEST(LoopControllerTest, PromotesWhatIsFasterAndRejectsWhatIsSlower) {
  SimulatedLoop loop;
  loop.world.programs["fast"] = {.time = 0.88};
  loop.world.programs["slow"] = {.time = 1.2, .staged = 0.01};
  loop.world.queue = {"slow", "fast"};
  loop.run();
  const std::vector<Experiment> all = *loop.store.experiments();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].outcome, Outcome::kRejected) << all[0].cause;
  EXPECT_EQ(all[1].outcome, Outcome::kPromoted) << all[1].cause;
  EXPECT_EQ(*loop.store.production(), "fast");
  loop.expectAtRest();
  const std::vector<StoredReward> rewards = *loop.store.rewards();
  EXPECT_NEAR(*rewards[0].value, -std::log(1.2), 0.05);
  EXPECT_NEAR(*rewards[1].value, -std::log(0.88), 0.05);
}

TEST(LoopControllerTest, RecordsEveryStepInOrder) {
  SimulatedLoop loop;
  loop.world.programs["fast"] = {.time = 0.85};
  loop.world.queue = {"fast"};
  loop.run();
  std::vector<State> states = {State::kProposed};
  const Result<std::vector<Transition>> transitions = loop.store.transitions(loop.last().id);
  ASSERT_TRUE(transitions);
  for (const Transition& transition : *transitions) {
    EXPECT_EQ(transition.from, states.back());
    states.push_back(transition.to);
  }
  const std::vector<State> expected = {
      State::kProposed, State::kBuilt,     State::kVerified, State::kStaged,   State::kWarmup, State::kRamp,
      State::kObserve,  State::kPromoting, State::kEnded,    State::kRewarded, State::kClosed};
  EXPECT_EQ(states, expected);
}

TEST(LoopControllerTest, WhatTheStageFindsSlowNeverSeesARequest) {
  SimulatedLoop loop;
  loop.world.programs["slow"] = {.time = 1.2};
  loop.world.queue = {"slow"};
  loop.run();
  EXPECT_EQ(loop.outcome(), Outcome::kRejected);
  EXPECT_EQ(loop.world.canary_requests, 0);
}

TEST(LoopControllerTest, NeverGivesTheCanaryMoreThanTheBudgetAllows) {
  SimulatedLoop loop;
  loop.options.governor.most_share = 0.03;
  loop.options.governor.careful_share = 0.03;
  loop.world.programs["fast"] = {.time = 0.8};
  loop.world.queue = {"fast"};
  double most = 0;
  loop.run(5000, [&](Controller&) { most = std::max(most, loop.world.canaryShare()); });
  EXPECT_NEAR(most, 0.03, 1e-9);
}

TEST(LoopControllerTest, IsSteeredByPeople) {
  SimulatedLoop loop;
  loop.world.programs["same"] = {};
  loop.world.queue = {"same", "same"};
  int ticks = 0;
  loop.run(400, [&](Controller&) {
    if (++ticks == 40) {
      EXPECT_GT(loop.world.canaryShare(), 0);
      ASSERT_TRUE(loop.store.setWish(Wish::kAbort));
    }
    if (ticks == 42) {
      EXPECT_EQ(loop.world.canaryShare(), 0);
      ASSERT_TRUE(loop.store.setWish(Wish::kPause));
    }
  });
  const std::vector<Experiment> all = *loop.store.experiments();
  EXPECT_EQ(all[0].outcome, Outcome::kAborted);
  EXPECT_EQ(all.size(), 1u) << "a paused loop begins nothing";
}

TEST(LoopControllerTest, EndsWithTheCanaryOutOfTheTraffic) {
  SimulatedLoop loop;
  loop.world.programs["same"] = {};
  loop.world.queue = {"same"};
  bool ended = false;
  loop.run(60, [&](Controller& controller) {
    if (!ended && loop.world.canaryShare() > 0.05) {
      ASSERT_TRUE(controller.end(loop.world.now()));
      EXPECT_EQ(loop.world.canaryShare(), 0);
      EXPECT_EQ(*loop.store.leasedUntil(), 0);
      ended = true;
    }
  });
  EXPECT_TRUE(ended);
}

TEST(LoopControllerTest, OptionsThatMakeNoSenseAreNamed) {
  EXPECT_TRUE(check(LoopOptions{}));
  LoopOptions options;
  options.ramp = {0.1, 0.05};
  EXPECT_FALSE(check(options));
  options = {};
  options.lease_s = 1;
  EXPECT_FALSE(check(options));
}

}  // namespace
}  // namespace ordo::loop
