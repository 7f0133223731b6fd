// What can go wrong, each with the end that it must come to. Numbers are those of the groups of faults in
// docs/loop.md; those that take longer are in tests/loop/faults_test.cpp.
#include <gtest/gtest.h>

#include "tests/fakes/simulated_loop.h"

namespace ordo::loop {
namespace {

using fakes::Ended;
using fakes::runOne;
using fakes::SimulatedLoop;

// 1
TEST(LoopFaultTest, ACanaryThatCrashesIsGoneWithinTwoPeriods) {
  const Ended ended = runOne({.crash_after_s = 70});
  EXPECT_EQ(ended.outcome, Outcome::kRolledBack) << ended.cause;
  EXPECT_LE(ended.seconds, 70 + 2 * fakes::quickLoop().tick_s + 2);
  EXPECT_TRUE(ended.censored);
  EXPECT_LT(*ended.value, 0);
}

TEST(LoopFaultTest, ACanaryThatHangsIsRolledBack) {
  const Ended hangs = runOne({.hangs = true});
  EXPECT_EQ(hangs.outcome, Outcome::kRolledBack) << hangs.cause;
}

// Prometheus' usual interval, and a loop that ticks often.
TEST(LoopFaultTest, WhereFiguresComeRarelyOneThatHangsIsStillItsOwnDoing) {
  const auto rarely = [](SimulatedLoop& loop) {
    loop.world.scrape_s = 15;
    loop.options.tick_s = 0.5;
    loop.options.window_s = 31;
    loop.options.warmup_s = 5;  // the first figures come after it
  };
  const Ended hangs = runOne({.hangs = true}, {}, rarely);
  EXPECT_EQ(hangs.outcome, Outcome::kRolledBack) << hangs.cause;
  const Ended fast = runOne({.time = 0.7}, {}, rarely);
  EXPECT_EQ(fast.outcome, Outcome::kPromoted) << fast.cause;
}

// Nobody was harmed by it, and it may be the deploy's doing.
TEST(LoopFaultTest, WhatIsNotDeployedIsVoid) {
  const Ended absent = runOne({.fails_to_start = true});
  EXPECT_EQ(absent.outcome, Outcome::kVoid) << absent.cause;
  EXPECT_EQ(absent.requests, 0);
  EXPECT_FALSE(absent.censored);
  const Ended once = runOne({.time = 0.7}, {}, [](SimulatedLoop& loop) { loop.world.deploys_to_fail = 2; });
  EXPECT_EQ(once.outcome, Outcome::kPromoted) << once.cause;
}

TEST(LoopFaultTest, FaultsOfBuildsAndOfTheStageAreNotTheCandidates) {
  const Ended built = runOne({}, {}, [](SimulatedLoop& loop) { loop.world.builds_fail = true; });
  EXPECT_EQ(built.outcome, Outcome::kVoid) << built.cause;
  EXPECT_FALSE(built.censored);
  const Ended staged = runOne({}, {}, [](SimulatedLoop& loop) { loop.world.stage_fails = true; });
  EXPECT_EQ(staged.outcome, Outcome::kVoid) << staged.cause;
  EXPECT_FALSE(staged.censored);
  const Ended once = runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) {
    loop.world.builds_fail = tick == 3;
    loop.world.stage_fails = tick == 4;
  });
  EXPECT_EQ(once.outcome, Outcome::kPromoted) << once.cause;
}

// 2
TEST(LoopFaultTest, WrongAnswersNeverSeeARequest) {
  const Ended ended = runOne({.time = 0.5, .wrong = true});
  EXPECT_EQ(ended.outcome, Outcome::kRejected);
  EXPECT_EQ(ended.requests, 0);
  EXPECT_TRUE(ended.censored);
}

// 3
TEST(LoopFaultTest, SlowerOnesAreRejectedAlsoIfOnlyInTheTail) {
  EXPECT_EQ(runOne({.time = 1.2, .staged = 0.01}).outcome, Outcome::kRejected);
  const Ended tail = runOne({.staged = 0.01, .slow_share = 0.02});
  EXPECT_TRUE(tail.outcome == Outcome::kRejected || tail.outcome == Outcome::kRolledBack) << tail.cause;
  EXPECT_LT(tail.seconds, 240);
}

TEST(LoopFaultTest, EqualOnesAreInconclusive) {
  const Ended ended = runOne({});
  EXPECT_EQ(ended.outcome, Outcome::kInconclusive) << ended.cause;
  EXPECT_NEAR(*ended.value, 0, 0.03);
}

// 4
TEST(LoopFaultTest, WithoutFiguresItEndsAndNothingIsLearned) {
  const Ended ended = runOne({}, [](SimulatedLoop& loop, int tick) { loop.world.metrics_down = tick > 60; });
  EXPECT_EQ(ended.outcome, Outcome::kVoid) << ended.cause;
  EXPECT_FALSE(ended.value);
}

TEST(LoopFaultTest, FiguresThatDoNotChangeAreNone) {
  const Ended ended = runOne({}, [](SimulatedLoop& loop, int tick) { loop.world.stale = tick > 60; });
  EXPECT_EQ(ended.outcome, Outcome::kVoid) << ended.cause;
}

TEST(LoopFaultTest, AShortGapIsForgotten) {
  const Ended ended = runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) {
    loop.world.metrics_down = tick % 50 == 0 || tick % 50 == 1;
  });
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
}

// 5
TEST(LoopFaultTest, WithoutTrafficItIsVoidAndCostsNothing) {
  const Ended ended = runOne({}, [](SimulatedLoop& loop, int) { loop.world.rate_factor = 0.01; });
  EXPECT_EQ(ended.outcome, Outcome::kVoid) << ended.cause;
  EXPECT_FALSE(ended.value);
}

TEST(LoopFaultTest, ABurstHitsBothAndMovesNothing) {
  const Ended ended =
      runOne({}, [](SimulatedLoop& loop, int tick) { loop.world.rate_factor = tick % 200 > 150 ? 3 : 1; });
  EXPECT_EQ(ended.outcome, Outcome::kInconclusive) << ended.cause;
  EXPECT_NEAR(*ended.value, 0, 0.03);
}

// 8
TEST(LoopFaultTest, ABalancerThatForgetsIsToldAgain) {
  int restarts = 0;
  const Ended ended = runOne({.time = 0.6}, [&](SimulatedLoop& loop, int tick) {
    if (tick % 100 == 99 && ++restarts < 4) loop.world.restartBalancer();
  });
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
}

TEST(LoopFaultTest, ABalancerThatDoesNotListenEndsIt) {
  const Ended ended = runOne({.time = 0.8}, [](SimulatedLoop& loop, int tick) {
    loop.world.traffic_down = tick > 60 && tick < 80;
    if (tick == 70) EXPECT_FALSE(loop.world.running(Pool::kCanary)) << "what cannot be steered is stopped";
  });
  EXPECT_EQ(ended.outcome, Outcome::kVoid) << ended.cause;
  EXPECT_GT(ended.alerts, 0u);
}

// 9
TEST(LoopFaultTest, WhoLivesWhileControlDiesIsNotPromoted) {
  const Ended ended =
      runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) { loop.world.control_down = tick > 70; });
  EXPECT_TRUE(ended.outcome == Outcome::kVoid || ended.outcome == Outcome::kAborted) << ended.cause;
  EXPECT_FALSE(ended.value);
}

TEST(LoopFaultTest, ErrorsOfEverybodyAreNotTheCanarys) {
  const Ended ended =
      runOne({}, [](SimulatedLoop& loop, int tick) { loop.world.outage = tick > 70 ? 0.3 : 0; });
  EXPECT_EQ(ended.outcome, Outcome::kAborted) << ended.cause;  // the budget is gone
  EXPECT_FALSE(ended.censored);
}

// 11
TEST(LoopFaultTest, ABudgetThatIsSpentEndsItAndItComesBack) {
  SimulatedLoop loop;
  loop.world.programs["first"] = loop.world.programs["second"] = {.time = 0.7};
  loop.world.queue = {"first", "second"};
  loop.options.governor.time_scale = 0.001;
  loop.options.spending_s = 2;
  int tick = 0, at = 0;
  loop.run(5000, [&](Controller& controller) {
    ++tick;
    loop.world.outage = tick > 70 && tick < 80 ? 0.5 : 0;
    if (at == 0 && controller.allowance().mode == Mode::kExploit) at = tick;
    if (at != 0 && tick == at + 1) EXPECT_EQ(loop.world.canaryShare(), 0);
  });
  const std::vector<Experiment> all = *loop.store.experiments();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].outcome, Outcome::kAborted) << all[0].cause;
  EXPECT_EQ(all[1].outcome, Outcome::kPromoted) << all[1].cause;
}

// 12
TEST(LoopFaultTest, WhatDoesNotStopHasNoTrafficAndIsSaid) {
  SimulatedLoop loop;
  loop.world.programs["candidate"] = {.crash_after_s = 70};
  loop.world.queue = {"candidate"};
  loop.run(5000, [&](Controller&) { loop.world.stop_hangs = true; });
  EXPECT_EQ(loop.outcome(), Outcome::kAborted);
  EXPECT_EQ(loop.world.canaryShare(), 0);
  EXPECT_FALSE(loop.world.alerts.empty());
}

// 13
TEST(LoopFaultTest, WhatProductionIsAlreadyIsNotDeployed) {
  const Ended ended = runOne({.same_as = ""}, {}, [](SimulatedLoop& loop) {
    loop.world.programs["other"] = {};
    loop.world.programs["candidate"].same_as = "other";
    ASSERT_TRUE(loop.store.lease("before", loop.world.now() - 100, 1));
    ASSERT_TRUE(loop.store.setProduction("before", "other", "other"));
    ASSERT_TRUE(loop.world.deploy(Pool::kProduction, "other"));
  });
  EXPECT_EQ(ended.outcome, Outcome::kIdentical) << ended.cause;
  EXPECT_EQ(*ended.value, 0);
  EXPECT_EQ(ended.requests, 0);
}

// 15
TEST(LoopFaultTest, WhatIsNeverBuiltTheSameTwiceIsNotTried) {
  const Ended ended = runOne({.time = 0.5, .restless = true});
  EXPECT_EQ(ended.outcome, Outcome::kRejected) << ended.cause;
  EXPECT_EQ(ended.requests, 0);
  EXPECT_FALSE(ended.censored);
}

// It kills whoever runs it on the stage.
TEST(LoopFaultTest, OneThatEndsItsControllersIsGivenUp) {
  struct Killed {};
  SimulatedLoop loop;
  loop.world.programs["candidate"] = {};
  loop.world.queue = {"candidate"};
  loop.world.on_call = [](const std::string& call) {
    if (call == "verify") throw Killed();
  };
  int lives = 0;
  for (bool killed = true; killed && lives < 20; ++lives) {
    try {
      killed = false;
      loop.holder = std::to_string(lives);
      loop.run();
    } catch (const Killed&) {
      killed = true;
      loop.world.pass(loop.options.lease_s + 1);
    }
  }
  EXPECT_LE(lives, 8);
  EXPECT_EQ(loop.outcome(), Outcome::kVoid) << loop.last().cause;
  loop.expectAtRest();
}

TEST(LoopFaultTest, AControllerThatBeginsTooOftenGivesUp) {
  SimulatedLoop loop;
  loop.world.programs["candidate"] = {};
  loop.world.queue = {"candidate"};
  for (int life = 0; life < 8; ++life) loop.run(40);
  loop.run();
  EXPECT_EQ(loop.outcome(), Outcome::kAborted);
  loop.expectAtRest();
}

}  // namespace
}  // namespace ordo::loop
