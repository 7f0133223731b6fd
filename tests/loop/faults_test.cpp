// What can go wrong and takes longer to show than unit tests may: the rest of the groups of faults of
// docs/loop.md, each with its end.
#include <gtest/gtest.h>

#include "tests/fakes/simulated_loop.h"

namespace ordo::loop {
namespace {

using fakes::Ended;
using fakes::runOne;
using fakes::SimulatedLoop;

// A service with enough requests to see a twentieth by.
constexpr fakes::SimulatedOptions kLarge{.rate = 2000, .mood = 0.01, .most_draws = 400};

void longer(SimulatedLoop& loop) { loop.options.reward.horizon = 200; }

// 1: out of memory after a while, when windows have been seen already.
TEST(LoopLongFaultTest, ACanaryThatDiesLateIsHarmWhateverItsWindowsSay) {
  const Ended ended = runOne({.time = 0.9, .staged = 0.01, .crash_after_s = 600});
  EXPECT_EQ(ended.outcome, Outcome::kRolledBack) << ended.cause;
  EXPECT_TRUE(ended.censored);
}

// 3
TEST(LoopLongFaultTest, ATwentiethSlowerIsRejected) {
  const Ended ended = runOne({.time = 1.05, .staged = 0.001}, {}, longer, kLarge);
  EXPECT_EQ(ended.outcome, Outcome::kRejected) << ended.cause;
  EXPECT_NEAR(*ended.value, -0.049, 0.01);
}

TEST(LoopLongFaultTest, AHundredthSlowerIsNotPromoted) {
  const Ended ended = runOne({.time = 1.01, .staged = 0.001}, {}, longer, kLarge);
  EXPECT_TRUE(ended.outcome == Outcome::kInconclusive || ended.outcome == Outcome::kRejected) << ended.cause;
  EXPECT_LT(*ended.value, 0);
}

TEST(LoopLongFaultTest, ATwentiethFasterIsPromoted) {
  const Ended ended = runOne({.time = 0.95}, {}, longer, kLarge);
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
  EXPECT_NEAR(*ended.value, 0.051, 0.01);
}

// 4
TEST(LoopLongFaultTest, AClockThatIsElsewhereChangesNothing) {
  const Ended ended = runOne({.time = 0.7}, {}, [](SimulatedLoop& loop) { loop.world.skew_s = -30; });
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
}

TEST(LoopLongFaultTest, AClockThatIsSetForwardIsForgotten) {
  const Ended ended =
      runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) { loop.world.skew_s = tick > 70 ? 30 : 0; });
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
}

TEST(LoopLongFaultTest, AClockThatIsSetBackIsNoNews) {
  const Ended ended =
      runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) { loop.world.skew_s = tick > 70 ? -30 : 0; });
  EXPECT_EQ(ended.outcome, Outcome::kVoid) << ended.cause;
  EXPECT_FALSE(ended.value);
}

TEST(LoopLongFaultTest, TheSameScrapeTwiceIsCountedOnce) {
  const Ended ended =
      runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) { loop.world.stale = tick % 2 == 1; });
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
}

TEST(LoopLongFaultTest, ACanaryThatBeginsAnewIsRolledBack) {
  const Ended ended = runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) {
    if (tick == 60) ASSERT_TRUE(loop.world.deploy(Pool::kCanary, "candidate"));
  });
  EXPECT_EQ(ended.outcome, Outcome::kRolledBack) << ended.cause;
}

TEST(LoopLongFaultTest, AControlThatBeginsAnewIsAWindowLess) {
  const Ended ended = runOne({.time = 0.7}, [](SimulatedLoop& loop, int tick) {
    if (tick == 60) ASSERT_TRUE(loop.world.deploy(Pool::kControl, ""));
  });
  EXPECT_EQ(ended.outcome, Outcome::kPromoted) << ended.cause;
}

TEST(LoopLongFaultTest, TimesBeyondTheLastBucketAreNoNumber) {
  const Ended ended = runOne({.time = 1e7, .staged = 0.01});
  EXPECT_EQ(ended.outcome, Outcome::kRolledBack) << ended.cause;
}

// 5
TEST(LoopLongFaultTest, ABadNeighbourOfControlPromotesNothing) {
  for (const int begin : {60, 300, 500}) {
    const Ended ended = runOne({}, [&](SimulatedLoop& loop, int tick) {
      loop.world.bad_neighbour[1] = tick > begin && tick < begin + 40 ? 0.3 : 0;
    });
    EXPECT_NE(ended.outcome, Outcome::kPromoted) << ended.cause;
  }
}

// 7: whoever computes a reward may die before it is recorded.
TEST(LoopLongFaultTest, ARewardThatWasNotRecordedIsComputedAgain) {
  struct Killed {};
  SimulatedLoop loop;
  loop.world.programs["candidate"] = {.time = 0.7};
  loop.world.queue = {"candidate"};
  try {
    loop.run(5000, [&](Controller&) {
      const auto current = loop.store.current();
      if (current && *current && (*current)->state == State::kEnded) throw Killed();
    });
    FAIL() << "it was never at its end";
  } catch (const Killed&) {
  }
  EXPECT_EQ(loop.rewards(), 0u);
  const std::vector<Window> windows = *loop.store.windows(loop.last().id);
  loop.world.pass(loop.options.lease_s + 1);
  loop.holder = "second";
  loop.run();
  loop.expectAtRest();
  ASSERT_EQ(loop.rewards(), 1u);
  EXPECT_EQ(loop.store.rewards()->front().value, computeReward(windows, loop.options.reward, true).value);
}

// 9: no client sees that one request in a hundred kills it.
TEST(LoopLongFaultTest, WhatIsOnlySeenByTheBalancerIsRejected) {
  const Ended ended = runOne({.time = 0.9, .staged = 0.01, .dropped_share = 0.01}, {}, longer, kLarge);
  EXPECT_EQ(ended.outcome, Outcome::kRejected) << ended.cause;
}

TEST(LoopLongFaultTest, WhereBothAreDownNobodyIsToBlame) {
  const Ended ended = runOne({.time = 0.7, .crash_after_s = 142},
                             [](SimulatedLoop& loop, int tick) { loop.world.control_down = tick > 70; });
  EXPECT_TRUE(ended.outcome == Outcome::kVoid || ended.outcome == Outcome::kAborted) << ended.cause;
  EXPECT_FALSE(ended.censored);
}

// 10: one that hung comes back when another has its loop.
TEST(LoopLongFaultTest, WhoHasLostItsLeaseTouchesNothing) {
  SimulatedLoop loop;
  loop.world.programs["candidate"] = {.time = 0.7};
  loop.world.queue = {"candidate"};
  auto first = *Controller::begin(loop.store, loop.world.world(), loop.options, "first", loop.world.now());
  for (int i = 0; i < 40; ++i) {
    loop.world.pass(loop.options.tick_s);
    ASSERT_TRUE(first->tick(loop.world.now()));
  }
  loop.world.pass(loop.options.lease_s + 1);
  loop.holder = "second";
  loop.run(30);
  const double share = loop.world.canaryShare();
  EXPECT_GT(share, 0) << "the second has begun it anew";
  EXPECT_FALSE(first->tick(loop.world.now()));
  EXPECT_EQ(loop.world.canaryShare(), share);
  loop.run();
  EXPECT_EQ(loop.outcome(), Outcome::kPromoted) << loop.last().cause;
  EXPECT_EQ(loop.last().restarts, 2u);
}

// 11: spent while the share still rises.
TEST(LoopLongFaultTest, ABudgetThatEndsWhileItRampsTakesItOut) {
  SimulatedLoop loop;
  loop.world.programs["candidate"] = {};
  loop.world.queue = {"candidate"};
  loop.options.governor.time_scale = 0.001;
  loop.options.spending_s = 2;
  loop.options.ramp_hold_s = 100;
  int out = 0, shared = 0;
  loop.run(5000, [&](Controller& controller) {
    const auto current = loop.store.current();
    const bool ramps = current && *current && (*current)->state == State::kRamp;
    if (ramps) loop.world.outage = 0.5;
    if (controller.allowance().mode == Mode::kExploit) {
      ++out;
      shared += loop.world.canaryShare() > 0;
      loop.world.outage = 0;
    }
  });
  EXPECT_GT(out, 0);
  EXPECT_EQ(shared, 0);
  EXPECT_EQ(loop.outcome(), Outcome::kAborted) << loop.last().cause;
}

}  // namespace
}  // namespace ordo::loop
