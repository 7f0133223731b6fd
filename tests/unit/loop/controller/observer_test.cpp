#include "loop/controller/observer.h"

#include <gtest/gtest.h>

namespace ordo::loop {
namespace {

Counters counters(int requests, double at_s, const std::string& instance = "a") {
  Counters counters;
  counters.up = true;
  counters.instance = instance;
  counters.at_s = at_s;
  counters.latency.add(0.01, static_cast<std::uint64_t>(requests));
  return counters;
}

Figures figures(int control, int canary, double at_s) {
  Figures figures;
  figures[1] = counters(control, at_s);
  figures[2] = counters(canary, at_s);
  return figures;
}

TEST(LoopObserverTest, AWindowIsWhatCameInBetween) {
  Observer observer;
  observer.begin(figures(10, 20, 1), 1, 0.1);
  const Window window = observer.end(figures(110, 220, 31), 31);
  EXPECT_EQ(window.gap, "");
  EXPECT_EQ(window.control.latency.count(), 100u);
  EXPECT_EQ(window.canary.latency.count(), 200u);
  EXPECT_FALSE(window.canary.reset);
  EXPECT_EQ(window.share, 0.1);
}

TEST(LoopObserverTest, WhatIsNotKnownIsAGap) {
  Observer observer;
  observer.begin(figures(10, 20, 1), 1, 0.1);
  EXPECT_EQ(observer.end(Figures{}, 31).gap, "nothing is known of control");
  EXPECT_EQ(observer.end(figures(10, 20, 1), 31).gap, "there is no news of control");
  observer.spoil("the share changed");
  observer.spoil("later");
  const Window window = observer.end(figures(110, 220, 31), 31);
  EXPECT_EQ(window.gap, "the share changed");
  EXPECT_EQ(window.control.latency.count(), 0u);
}

TEST(LoopObserverTest, CountersThatBeginAnewAreSeen) {
  Observer observer;
  observer.begin(figures(10, 20, 1), 1, 0.1);
  Figures fewer = figures(110, 5, 31);
  EXPECT_TRUE(observer.end(fewer, 31).canary.reset);
  Figures other = figures(110, 220, 31);
  other[2]->instance = "b";
  EXPECT_TRUE(observer.end(other, 31).canary.reset);
}

TEST(LoopObserverTest, TheGuardSeesWhoIsDownWithoutFigures) {
  Figures before = figures(10, 20, 1), now = figures(20, 30, 3);
  EXPECT_TRUE(lookOf(before, now).seen);
  EXPECT_EQ(lookOf(before, now).canary.latency.count(), 10u);
  now[2]->up = false;
  now[2]->at_s = 1;
  EXPECT_FALSE(lookOf(before, now).seen);
  EXPECT_FALSE(lookOf(before, now).canary_up);
  EXPECT_FALSE(lookOf(before, Figures{}).seen);
}

TEST(LoopObserverTest, EverybodysRequestsAreSpent) {
  Figures before = figures(10, 20, 1), now = figures(20, 40, 3);
  before[0] = counters(100, 1);
  now[0] = counters(200, 3);
  now[0]->errors = 3;
  now[2]->latency.add(9, 2);
  const Spending spending = spendingOf(before, now, 1, 3);
  EXPECT_EQ(spending.requests, 132);
  EXPECT_EQ(spending.bad, 5);
}

}  // namespace
}  // namespace ordo::loop
