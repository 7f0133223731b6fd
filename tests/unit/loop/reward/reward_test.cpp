#include "loop/reward/reward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/rng.h"

namespace ordo::loop {
namespace {

double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

// A service whose latency is lognormal. Each arm's own mood lasts for some windows (a neighbour, a cache),
// and both share the load.
struct Service {
  double canary = 1;   // its time by control's
  double tail = 0;     // share of the canary's requests that take 50 ms more
  double mood = 0.02;  // deviation of the log of an arm's times between windows
  double rho = 0.6;    // how much a mood resembles the one before
  int requests = 150;  // of an arm in a window
  std::size_t windows = 200;
};

std::vector<Window> observe(const Service& service, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Window> windows;
  double moods[2] = {service.mood * normal(rng), service.mood * normal(rng)};
  for (std::size_t i = 0; i < service.windows; ++i) {
    const auto at = static_cast<double>(i);
    Window window{.begin_s = 30 * at, .end_s = 30 * at + 30, .share = 0.1};
    const double load = 1 + 0.3 * std::sin(at / 40);  // the day, which both arms see
    for (int arm = 0; arm < 2; ++arm) {
      moods[arm] =
          service.rho * moods[arm] + std::sqrt(1 - service.rho * service.rho) * service.mood * normal(rng);
      ArmWindow& seen = arm == 0 ? window.control : window.canary;
      const double scale = 0.02 * load * std::exp(moods[arm]) * (arm == 0 ? 1 : service.canary);
      for (int request = 0; request < service.requests; ++request) {
        double time = scale * std::exp(0.4 * normal(rng));
        if (arm == 1 && rng.chance(service.tail)) time += 0.05;
        seen.latency.add(time);
      }
    }
    windows.push_back(std::move(window));
  }
  return windows;
}

// As a controller does: a look after every tenth window, to the first verdict.
Reward judge(const std::vector<Window>& windows, const RewardOptions& options) {
  for (std::size_t n = 10; n < windows.size(); n += 10) {
    Reward reward = computeReward(std::span(windows).first(n), options);
    if (reward.verdict != Verdict::kPending) return reward;
  }
  return computeReward(windows, options, true);
}

Verdict verdictOn(const Service& service, std::uint64_t seed = 1, const RewardOptions& options = {}) {
  return judge(observe(service, seed), options).verdict;
}

TEST(LoopRewardTest, TellsFasterFromSlower) {
  EXPECT_EQ(verdictOn({.canary = 0.9, .requests = 500}), Verdict::kPromote);
  EXPECT_EQ(verdictOn({.canary = 1.2}), Verdict::kReject);
  EXPECT_EQ(verdictOn({.canary = 1.08, .requests = 500}), Verdict::kReject);
  EXPECT_EQ(verdictOn({.canary = 1.0}), Verdict::kInconclusive);
}

TEST(LoopRewardTest, ATailThatOnlySomeSeeIsRejected) {
  EXPECT_EQ(verdictOn({.tail = 0.02}, 1, {.slo_s = 0.06}), Verdict::kReject);
  // Faster for most and unbearable for some is no gain.
  EXPECT_EQ(verdictOn({.canary = 0.9, .tail = 0.02}, 1, {.slo_s = 0.06}), Verdict::kReject);
}

TEST(LoopRewardTest, EqualProgramsAreNotPromoted) {
  int promoted = 0, rejected = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Verdict verdict = verdictOn({.windows = 100}, seed);
    promoted += verdict == Verdict::kPromote;
    rejected += verdict == Verdict::kReject;
  }
  EXPECT_EQ(promoted, 0);
  EXPECT_LE(rejected, 1);
}

TEST(LoopRewardTest, IsAPureFunctionOfItsWindows) {
  const std::vector<Window> windows = observe({.canary = 0.95, .windows = 40}, 5);
  const Reward once = computeReward(windows, {}), again = computeReward(windows, {});
  EXPECT_EQ(writeJson(toJson(once)), writeJson(toJson(again)));
  std::vector<Window> others = windows;
  others[3].canary.errors = 1;
  EXPECT_NE(computeReward(others, {}).inputs, once.inputs);
  EXPECT_NE(computeReward(windows, {.alpha = 0.02}).inputs, once.inputs);
}

TEST(LoopRewardTest, SwappingTheArmsTurnsItsSign) {
  std::vector<Window> windows = observe({.canary = 0.95, .windows = 64}, 6);
  const double forwards = *computeReward(windows, {}).value;
  for (Window& window : windows) std::swap(window.control, window.canary);
  EXPECT_NEAR(*computeReward(windows, {}).value, -forwards, 1e-12);
}

TEST(LoopRewardTest, WhatHitsBothCancels) {
  std::vector<Window> windows = observe({.windows = 64}, 7);
  for (std::size_t i = 20; i < 40; ++i) {  // an outage of something that both need
    for (ArmWindow* arm : {&windows[i].control, &windows[i].canary}) arm->latency.add(3.0, 30);
  }
  const Reward reward = computeReward(windows, {}, true);
  EXPECT_NEAR(*reward.value, 0, 0.05);
  EXPECT_EQ(reward.verdict, Verdict::kInconclusive) << reward.why;
}

TEST(LoopRewardTest, GapsAreNeitherGoodNorBad) {
  const std::vector<Window> windows = observe({.canary = 0.9, .requests = 500, .windows = 60}, 8);
  std::vector<Window> gappy;
  for (const Window& window : windows) {
    gappy.push_back(window);
    if (gappy.size() % 3 == 0)
      gappy.push_back({.begin_s = 1, .end_s = 2, .gap = "Prometheus did not answer"});
  }
  const Reward whole = computeReward(windows, {}), reward = computeReward(gappy, {});
  EXPECT_EQ(reward.value, whole.value);
  EXPECT_EQ(reward.used, 60u);
}

TEST(LoopRewardTest, NothingIsLearnedFromNothing) {
  const Reward nothing = computeReward({}, {}, true);
  EXPECT_EQ(nothing.verdict, Verdict::kVoid);
  EXPECT_FALSE(nothing.value);
  std::vector<Window> windows(50, Window{.begin_s = 1, .end_s = 2, .gap = "no such series"});
  EXPECT_FALSE(computeReward(windows, {}, true).value);
  EXPECT_EQ(computeReward(windows, {}, true).verdict, Verdict::kVoid);
  EXPECT_EQ(computeReward(windows, {}).verdict, Verdict::kPending);
}

TEST(LoopRewardTest, WhoOnlyLivesWhenItIsSeenIsNotPromoted) {
  std::vector<Window> windows = observe({.canary = 0.8, .requests = 500, .windows = 100}, 9);
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i].control.up = i % 3 == 0;
  EXPECT_EQ(judge(windows, {}).verdict, Verdict::kVoid);
}

TEST(LoopRewardTest, RequestsThatTheBalancerSavedCountAgainstIt) {
  std::vector<Window> windows = observe({.windows = 150}, 10);
  for (Window& window : windows) window.canary.redispatches = 3;  // 2 % of them; clients saw no error
  const Reward reward = judge(windows, {});
  EXPECT_EQ(reward.verdict, Verdict::kReject);
  EXPECT_GT(reward.spent, 0);
}

TEST(LoopRewardTest, FailuresAreHarmAndSlownessIsNot) {
  std::vector<Window> windows = observe({.canary = 0.8, .windows = 150}, 10);
  for (Window& window : windows) window.canary.errors = 3;
  const Reward failing = judge(windows, {});
  EXPECT_EQ(failing.verdict, Verdict::kReject) << "though it is a fifth faster";
  EXPECT_TRUE(failing.harm);
  for (Window& window : windows) {
    window.canary.errors = 0;
    window.canary.aborts = 3;
  }
  EXPECT_TRUE(judge(windows, {}).harm) << "clients do not wait for it";
  for (Window& window : windows) window.control.aborts = 3;
  EXPECT_EQ(judge(windows, {}).verdict, Verdict::kPromote) << "nor for control";
  EXPECT_FALSE(judge(observe({.tail = 0.02}, 1), {.slo_s = 0.06}).harm);
}

// 0.1 % of the canary's answers are wrong, of 600 in a window.
std::vector<Window> answering(std::uint64_t seed, double wrong, double noise,
                              const Service& service = {.canary = 0.9, .requests = 500}) {
  Rng rng(seed);
  std::vector<Window> windows = observe(service, seed);
  for (Window& window : windows) {
    window.control.compared = window.canary.compared = 600;
    for (int i = 0; i < 600; ++i) {
      window.canary.odd += rng.chance(wrong + noise);
      window.control.odd += rng.chance(noise);
    }
  }
  return windows;
}

TEST(LoopRewardTest, WrongAnswersAreHarmHoweverFast) {
  const RewardOptions options{.answers = true};
  const Reward wrong = judge(answering(1, 0.001, 0), options);
  EXPECT_EQ(wrong.verdict, Verdict::kReject) << wrong.why;
  EXPECT_TRUE(wrong.harm);
  EXPECT_EQ(judge(answering(1, 0, 0), options).verdict, Verdict::kPromote)
      << judge(answering(1, 0, 0), options).why;
  // A service that does not agree with itself in one of a hundred is no canary's harm.
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    EXPECT_FALSE(judge(answering(seed, 0, 0.01), options).harm) << seed;
  EXPECT_TRUE(judge(answering(1, 0.01, 0.01), options).harm);
}

TEST(LoopRewardTest, WithoutEnoughAnswersNothingIsPromoted) {
  std::vector<Window> windows = answering(1, 0, 0);
  EXPECT_EQ(judge(windows, {}).verdict, Verdict::kPromote);
  for (Window& window : windows) window.control.compared = window.canary.compared = 2;
  const Reward few = judge(windows, {.answers = true});
  EXPECT_EQ(few.verdict, Verdict::kInconclusive);
  EXPECT_NE(few.why.find("answers"), std::string::npos) << few.why;
  for (Window& window : windows) window.control.compared = window.canary.compared = 0;
  EXPECT_NE(judge(windows, {.answers = true}).verdict, Verdict::kPromote);
}

TEST(LoopRewardTest, ARequestThatIsAlwaysWrongIsFoundByAskingAgain) {
  std::vector<Window> windows = answering(1, 0, 0);
  windows.resize(3);
  windows[0].canary.odd = 1;
  windows[2].canary.odd_again = 12;
  EXPECT_TRUE(computeReward(windows, {.answers = true}).harm) << "long before there are intervals";
  windows[2].control.odd_again = 12;
  EXPECT_FALSE(computeReward(windows, {.answers = true}).harm);
}

TEST(LoopRewardTest, SaysWhyAWindowIsNoEvidence) {
  const Window good = observe({.windows = 1}, 1).front();
  const RewardOptions options;
  EXPECT_EQ(problemOf(good, options), "");
  const auto with = [&](auto change) {
    Window window = good;
    change(window);
    return problemOf(window, options);
  };
  EXPECT_EQ(with([](Window& window) { window.gap = "a reason"; }), "a reason");
  EXPECT_EQ(with([](Window& window) { window.canary.up = false; }), "the canary was down");
  EXPECT_EQ(with([](Window& window) { window.control.reset = true; }), "control was restarted");
  EXPECT_EQ(with([](Window& window) { window.canary.latency = {}; }),
            "the canary had 0 requests; 100 are needed");
  EXPECT_EQ(with([](Window& window) { window.canary.latency.add(5000, 100); }),
            "the p95 of the canary is beyond its last bucket");
}

TEST(LoopRewardTest, OneWrongWindowDoesNotLeadItAway) {
  std::vector<Window> windows = observe({.windows = 100}, 11);
  windows[50].canary.latency = {};
  windows[50].canary.latency.add(1e-6, 1000);
  EXPECT_NEAR(*computeReward(windows, {}).value, 0, 0.02);
}

TEST(LoopRewardTest, OptionsThatMakeNoSenseAreNamed) {
  EXPECT_TRUE(check(RewardOptions{}));
  for (const RewardOptions& options :
       {RewardOptions{.quantile = 1}, RewardOptions{.tail = 0.5}, RewardOptions{.slo_s = std::nan("")},
        RewardOptions{.alpha = 0}, RewardOptions{.horizon = 1}, RewardOptions{.most_gaps = 1}}) {
    EXPECT_FALSE(check(options));
  }
}

}  // namespace
}  // namespace ordo::loop
