#include "loop/controller/controller.h"

#include <gtest/gtest.h>

#include <set>

#include "loop/learning/values.h"
#include "support/files.h"
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

// What a full disk, a read-only one or a backup that locks it does to a store: nothing can be written.
TEST(LoopControllerTest, WithoutItsStoreTheCanaryIsOutFirst) {
  for (const char* refuse :
       {"BEFORE UPDATE ON meta", "BEFORE INSERT ON spending", "BEFORE INSERT ON \"window\""}) {
    const TempDir dir = *TempDir::create();
    SimulatedLoop loop({}, (dir.path() / "loop.sqlite").string());
    loop.world.programs["same"] = {};
    loop.world.queue = {"same"};
    auto controller = Controller::begin(loop.store, loop.world.world(), loop.options, "me", loop.world.now());
    ASSERT_TRUE(controller);
    const auto sql = openSql((dir.path() / "loop.sqlite").string(), true);
    ASSERT_TRUE(sql);
    bool exposed = false;
    Status done;
    for (int i = 0; i < 200 && done; ++i) {
      loop.world.pass(loop.options.tick_s);
      done = (*controller)->tick(loop.world.now());
      if (exposed || loop.world.canaryShare() < 0.05) continue;
      exposed = true;
      EXPECT_TRUE((*controller)->exposed());
      ASSERT_TRUE((*sql)->script(
          fmt::format("CREATE TRIGGER full {} BEGIN SELECT RAISE(ABORT, 'no space left'); END", refuse)));
    }
    ASSERT_TRUE(exposed) << refuse;
    ASSERT_FALSE(done) << refuse;
    EXPECT_NE(done.error().message.find("no space left"), std::string::npos);
    EXPECT_EQ(loop.world.canaryShare(), 0) << refuse;
    EXPECT_FALSE((*controller)->exposed());
  }
}

// A candidate that is never worth anything is not built again at every other tick.
TEST(LoopControllerTest, WaitsBeforeItTriesTheSameAgain) {
  SimulatedLoop loop;
  loop.world.programs["same"] = {.same_as = ""};
  loop.world.programs["same"].same_as = "first";
  loop.world.programs["first"] = {};
  ASSERT_TRUE(loop.store.lease("before", loop.world.now() - 100, 1));
  ASSERT_TRUE(loop.store.setProduction("before", "first", "first"));
  ThompsonChooser chooser(loop.store, {"same", "first"}, "", {});
  World world = loop.world.world();
  World choosing{world.builder, world.stage, world.pools,    world.traffic,
                 world.metrics, chooser,     world.listener, world.errands};
  auto controller = Controller::begin(loop.store, choosing, loop.options, "me", loop.world.now());
  ASSERT_TRUE(controller);
  const auto tick = [&](int times) {
    for (int i = 0; i < times; ++i) {
      loop.world.pass(2);
      ASSERT_TRUE((*controller)->tick(loop.world.now()));
    }
  };
  tick(1800);
  EXPECT_EQ(loop.store.experiments()->size(), 6u) << "in an hour: after 1, 2, 4, 8 and 16 minutes";
  EXPECT_FALSE((*controller)->idle()) << "it waits";
  ASSERT_TRUE(loop.store.forgive("same", loop.world.now()));
  tick(2);
  EXPECT_EQ(loop.store.experiments()->size(), 7u);
}

TEST(LoopControllerTest, AWishThatComesWhileAnAbortIsGrantedStays) {
  SimulatedLoop loop;
  loop.world.programs["same"] = {};
  loop.world.queue = {"same", "same"};
  bool aborting = false;
  loop.world.on_call = [&](const std::string& call) {
    if (aborting && call == "set") ASSERT_TRUE(loop.store.setWish(Wish::kPause));
  };
  int ticks = 0;
  loop.run(200, [&](Controller&) {
    aborting = ++ticks == 40;
    if (aborting) ASSERT_TRUE(loop.store.setWish(Wish::kAbort));
  });
  EXPECT_EQ(*loop.store.wish(), Wish::kPause);
  EXPECT_EQ(loop.store.experiments()->size(), 1u);
}

// Builds and deploys that take longer than the lease, and than the warmup.
TEST(LoopControllerTest, KeepsItsLeaseThroughWhatTakesLong) {
  SimulatedLoop loop;
  loop.world.programs["fast"] = {.time = 0.8};
  loop.world.queue = {"fast"};
  loop.world.build_s = 600;
  loop.world.deploy_s = 60;
  loop.world.on_beat = [&] {
    EXPECT_FALSE(loop.store.lease("another host", loop.world.now(), 10)) << "nobody takes over meanwhile";
    EXPECT_EQ(loop.world.canaryShare(), 0);
  };
  loop.run();
  EXPECT_EQ(loop.outcome(), Outcome::kPromoted) << loop.last().cause;
  EXPECT_EQ(loop.last().restarts, 0u);
  loop.expectAtRest();
}

TEST(LoopControllerTest, WhoPausesOrAbortsDoesNotWaitForABuild) {
  for (const Wish wish : {Wish::kPause, Wish::kAbort}) {
    SimulatedLoop loop;
    loop.world.programs["fast"] = {.time = 0.8};
    loop.world.queue = {"fast"};
    loop.world.build_s = 600;
    loop.world.on_beat = [&] { ASSERT_TRUE(loop.store.setWish(wish)); };
    const double began = loop.world.now();
    loop.run(5);
    EXPECT_LT(loop.world.now() - began, 100);
    if (wish == Wish::kPause) {
      EXPECT_EQ(loop.last().state, State::kProposed) << "it goes on after the pause";
    } else {
      EXPECT_EQ(loop.outcome(), Outcome::kAborted);
      EXPECT_FALSE(loop.store.rewards()->back().censored);
    }
  }
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
