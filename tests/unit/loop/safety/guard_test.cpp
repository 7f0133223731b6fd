#include "loop/safety/guard.h"

#include <gtest/gtest.h>

#include <random>

namespace ordo::loop {
namespace {

Look usual() {
  Look look{.seen = true};
  for (int i = 0; i < 100; ++i) {
    look.control.latency.add(0.01 + 0.0001 * i);
    look.canary.latency.add(0.01 + 0.0001 * i);
  }
  return look;
}

// At which look of such an alarm comes; 0 is none in ten.
int alarmAt(const Look& look, bool* harm = nullptr, const GuardOptions& options = {}) {
  Guard guard(options);
  EXPECT_FALSE(guard.look(usual()));
  for (int i = 1; i <= 10; ++i) {
    if (const auto alarm = guard.look(look)) {
      if (harm != nullptr) *harm = alarm->harm;
      return i;
    }
  }
  return 0;
}

TEST(LoopGuardTest, LetsAHealthyCanaryStay) { EXPECT_EQ(alarmAt(usual()), 0); }

TEST(LoopGuardTest, SeesAtOnceWhatFails) {
  Look look = usual();
  look.canary.errors = 20;
  EXPECT_EQ(alarmAt(look), 1);
  look.canary.latency = {};  // all of them only ran out of time, so that none has a duration
  EXPECT_EQ(alarmAt(look), 1);
  look = usual();
  look.canary.redispatches = 30;  // no client saw an error
  EXPECT_EQ(alarmAt(look), 1);
  look = usual();
  look.canary.reset = true;
  EXPECT_EQ(alarmAt(look), 1);
}

TEST(LoopGuardTest, SeesWhatFailsWithoutFigures) {
  Look look{.seen = false};
  look.control.tries = look.canary.tries = 100;
  look.canary.errors = 30;
  EXPECT_EQ(alarmAt(look), 1) << "the balancer knows of how many";
  look.canary.errors = 0;
  look.canary.aborts = 30;
  EXPECT_EQ(alarmAt(look), 1) << "clients do not wait for it";
  look.control.aborts = 25;
  EXPECT_EQ(alarmAt(look), 0) << "nor for control";
  look = {};
  look.canary.errors = 30;
  EXPECT_EQ(alarmAt(look), 0) << "of a million or of thirty";
}

TEST(LoopGuardTest, SeesOneThatFallsAndComesBack) {
  Guard guard({});
  Look look = usual();
  look.canary_up = false;
  EXPECT_FALSE(guard.look(look));
  EXPECT_FALSE(guard.look(usual()));
  EXPECT_TRUE(guard.look(look)->harm);
}

TEST(LoopGuardTest, SeesChecksThatFailAndRequestsThatWait) {
  Look look = usual();
  look.canary_failed_checks = 5;
  EXPECT_EQ(alarmAt(look), 1);
  look.control_failed_checks = 1;
  EXPECT_EQ(alarmAt(look), 0);
  look = usual();
  look.canary_queue = 8;
  EXPECT_EQ(alarmAt(look), 2) << "a moment is no queue";
  look.control_queue = 3;
  EXPECT_EQ(alarmAt(look), 0);
}

TEST(LoopGuardTest, TakesTwoLooksForOneThatIsDownOrHangs) {
  bool harm = false;
  Look look = usual();
  look.canary_up = false;
  EXPECT_EQ(alarmAt(look, &harm), 2);
  EXPECT_TRUE(harm);
  look = usual();
  look.canary.latency = {};
  look.control.latency = {};
  look.control.latency.add(0.01, 30);
  EXPECT_EQ(alarmAt(look, &harm), 2);
  EXPECT_TRUE(harm);
  look.control.latency.add(0.01, 3000);
  EXPECT_EQ(alarmAt(look, &harm), 2) << "one look is not enough, however many requests";
}

TEST(LoopGuardTest, SeesATailThatDoubles) {
  Look look = usual();
  look.canary.latency = {};
  look.canary.latency.add(0.05, 100);
  EXPECT_EQ(alarmAt(look), 1);
  look.canary.latency = {};
  look.canary.latency.add(5000, 100);  // beyond what can be told
  EXPECT_EQ(alarmAt(look), 1);
}

// So few that no two looks have enough of them.
TEST(LoopGuardTest, SeesASlowTailOfOneRequestInFifty) {
  Look look = usual();
  look.canary.latency = {};
  look.canary.latency.add(0.01, 98);
  look.canary.latency.add(0.05, 2);
  Guard guard({});
  int looks = 1;
  while (looks <= 100 && !guard.look(look)) ++looks;
  EXPECT_GT(looks, 2);
  EXPECT_LE(looks, 20) << "2,000 requests";
}

// Requests of two kinds, the slow one at just the share where the quantile of few requests lies.
TEST(LoopGuardTest, ByChanceNoQuantileGoesFromHeapToHeap) {
  std::mt19937 rng(1);
  std::bernoulli_distribution slow(0.14);
  for (int experiment = 0; experiment < 50; ++experiment) {
    Guard guard({});
    for (int i = 0; i < 250; ++i) {
      Look look{.seen = true};
      for (int request = 0; request < 80; ++request) {
        look.control.latency.add(slow(rng) ? 0.0015 : 0.0006);
        look.canary.latency.add(slow(rng) ? 0.0015 : 0.0006);
      }
      const auto alarm = guard.look(look);
      ASSERT_FALSE(alarm) << experiment << ": " << alarm->why;
    }
  }
}

TEST(LoopGuardTest, AnOutageOfBothIsNotTheCanarys) {
  bool harm = true;
  Look look = usual();
  look.canary_up = look.control_up = false;
  EXPECT_EQ(alarmAt(look, &harm), 2);
  EXPECT_FALSE(harm);
  look = usual();
  look.canary.errors = look.control.errors = 50;
  EXPECT_EQ(alarmAt(look), 0);
}

TEST(LoopGuardTest, DoesNotStayBlind) {
  bool harm = true;
  EXPECT_EQ(alarmAt(Look{.missed = 4}), 0) << "ticks may be faster than figures";
  EXPECT_EQ(alarmAt(Look{.missed = 5}, &harm), 1);
  EXPECT_FALSE(harm);
  EXPECT_EQ(alarmAt(Look{.only_control = 4, .canary_known = true}), 0);
  EXPECT_EQ(alarmAt(Look{.only_control = 5, .canary_known = true}, &harm), 1);
  EXPECT_TRUE(harm) << "whoever counts reaches control, and the canary no more";
  EXPECT_EQ(alarmAt(Look{.only_control = 5}, &harm), 1);
  EXPECT_FALSE(harm) << "it never did";
}

TEST(LoopGuardTest, AFewErrorsOfFewRequestsAreNoAlarm) {
  Look look = usual();
  look.canary.latency = {};
  look.canary.latency.add(0.01, 3);
  look.canary.errors = 1;
  EXPECT_EQ(alarmAt(look), 0);
}

TEST(LoopGuardTest, OptionsThatMakeNoSenseAreNamed) {
  EXPECT_TRUE(check(GuardOptions{}));
  EXPECT_FALSE(check(GuardOptions{.most_down = 0}));
  EXPECT_FALSE(check(GuardOptions{.most_slowdown = 1}));
}

}  // namespace
}  // namespace ordo::loop
