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

TEST(LoopWatchTest, SeesWhoIsDownWithoutFigures) {
  Watch watch;
  EXPECT_FALSE(watch.look(figures(10, 20, 1)).seen) << "there is nothing before it";
  EXPECT_EQ(watch.look(figures(20, 30, 3)).canary.latency.count(), 10u);
  Figures down = figures(30, 30, 5);
  down[2]->up = false;
  down[2]->at_s = 3;
  const Look look = watch.look(down);
  EXPECT_FALSE(look.seen);
  EXPECT_FALSE(look.canary_up);
  EXPECT_EQ(look.only_control, 1u);
  EXPECT_FALSE(watch.look(Figures{}).seen);
}

// Prometheus scrapes more rarely than a tick, and the balancer counts errors all the time.
TEST(LoopWatchTest, LosesNothingThatCameBetweenFigures) {
  Watch watch;
  watch.look(figures(10, 20, 1));
  Figures late = figures(10, 20, 1);
  late[2]->errors = 7;
  EXPECT_FALSE(watch.look(late).seen);
  Figures next = figures(20, 30, 2);
  next[2]->errors = 7;
  EXPECT_EQ(watch.look(next).canary.errors, 7u);
}

TEST(LoopWatchTest, FiguresThatWereAwayAreNoRestart) {
  Watch watch;
  watch.look(figures(10, 20, 1));
  Figures away = figures(10, 20, 1);
  away[2]->latency = {};  // a scrape that failed: only the balancer knows it
  away[2]->instance.clear();
  away[2]->at_s = 0;
  EXPECT_FALSE(watch.look(away).seen);
  const Look look = watch.look(figures(30, 40, 3));
  EXPECT_TRUE(look.seen);
  EXPECT_FALSE(look.canary.reset);
  EXPECT_EQ(look.canary.latency.count(), 20u);
}

TEST(LoopWatchTest, WhoServedBeforeIsNoRestartWhileOneStarts) {
  Watch watch;
  watch.look(figures(10, 20, 1));
  Figures other = figures(5, 6, 3);
  other[2]->instance = "b";
  EXPECT_FALSE(watch.look(other, true).seen);
  Figures again = figures(7, 2, 5);
  again[2]->instance = "c";
  const Look look = watch.look(again);
  EXPECT_TRUE(look.seen);
  EXPECT_TRUE(look.canary.reset);
}

// Whoever counts asks one after the other, and more rarely than the loop ticks.
TEST(LoopWatchTest, ControlIsAloneOnlyByWhatCame) {
  Watch watch;
  watch.look(figures(10, 20, 1));
  Figures half = figures(20, 20, 1);
  half[1]->at_s = 3;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(watch.look(half).only_control, 1u);
  EXPECT_EQ(watch.look(figures(20, 30, 3.5)).only_control, 0u);
}

// The first figures of who was deployed may come long after that.
TEST(LoopWatchTest, WhoServedBeforeTheDeployIsNoRestartWheneverItShows) {
  Figures before = figures(1000, 2000, 1);
  Watch watch(before);
  EXPECT_FALSE(watch.look(before).seen);
  Figures first = figures(5, 6, 16);
  first[1]->instance = first[2]->instance = "b";
  EXPECT_FALSE(watch.look(first).seen);
  Figures next = figures(10, 12, 31);
  next[1]->instance = next[2]->instance = "b";
  const Look look = watch.look(next);
  EXPECT_TRUE(look.seen);
  EXPECT_FALSE(look.canary.reset);
  EXPECT_EQ(look.canary.latency.count(), 6u);
  Figures again = figures(20, 3, 46);
  again[1]->instance = "b";
  again[2]->instance = "c";
  EXPECT_TRUE(watch.look(again).canary.reset) << "that is one";
}

TEST(LoopNewsTest, CountsWhatWasDueAndDidNotCome) {
  News news;
  news.wait(100);
  EXPECT_EQ(news.missed(106, 2), 0u) << "nobody knows how often it comes";
  EXPECT_EQ(news.missed(131, 2), 2u);
  for (int i = 0; i < 60; ++i) news.see(figures(i, i, 1000 + i / 30 * 15), 110 + 0.5 * i);
  EXPECT_EQ(news.missed(125 + 14, 0.5), 0u);
  EXPECT_EQ(news.missed(125 + 31, 0.5), 2u);
  EXPECT_EQ(news.missed(125 + 31, 20), 1u);
}

TEST(LoopWatchTest, WhatTheBalancerSaysIsThereAtEachLook) {
  Watch watch;
  watch.look(figures(10, 20, 1));
  Figures next = figures(10, 20, 1);
  next[2]->errors = 7;
  next[2]->tries = 20;
  next[2]->failed_checks = 2;
  next[2]->queued = 3;
  const Look look = watch.look(next);
  EXPECT_FALSE(look.seen);
  EXPECT_EQ(look.canary.errors, 7u);
  EXPECT_EQ(look.canary.tries, 20u);
  EXPECT_EQ(look.canary_failed_checks, 2u);
  EXPECT_EQ(look.canary_queue, 3u);
  EXPECT_EQ(watch.look(next).canary.errors, 7u) << "since the last figures";
  EXPECT_TRUE(look.canary_up);
  next[2]->falls = 1;
  EXPECT_FALSE(watch.look(next).canary_up) << "it fell, and came back";
  EXPECT_TRUE(watch.look(next).canary_up);
}

// A balancer counts on when an instance begins anew: old failures are not the new one's, nor spent again.
TEST(LoopObserverTest, FailuresOfBeforeAreNotThoseOfWhoBeginsAnew) {
  Figures before = figures(10, 20, 1), now = figures(20, 5, 3);
  before[2]->errors = 500;
  now[2]->errors = 501;
  now[2]->instance = "b";
  Observer observer;
  observer.begin(before, 1, 0.1);
  EXPECT_EQ(observer.end(now, 3).canary.errors, 1u);
  EXPECT_EQ(spendingOf(before, now, 1, 3).bad, 1);
  before = now;
  now[2]->errors = 2;
  now[2]->at_s = now[1]->at_s = 5;
  observer.begin(before, 3, 0.1);
  EXPECT_EQ(observer.end(now, 5).canary.errors, 2u) << "the balancer began anew";
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
  EXPECT_EQ(spendingOf(before, now, 1, 4).requests, 0) << "nothing is spent twice";
  now[0]->errors = 9;  // without news of how many requests there were
  EXPECT_EQ(spendingOf(before, now, 1, 5).bad, 0);
  now[0]->at_s = 6;
  EXPECT_EQ(spendingOf(before, now, 1, 6).bad, 6) << "it is not lost";
}

}  // namespace
}  // namespace ordo::loop
