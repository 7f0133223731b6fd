#include "loop/learning/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace ordo::loop {
namespace {

StoredReward reward(const std::string& candidate, double value, const std::string& baseline = "") {
  return {.candidate = candidate, .baseline = baseline, .value = value, .error = 0.01};
}

std::map<std::string, Value> learned(const std::vector<StoredReward>& rewards,
                                     const LearningOptions& options = {}) {
  Rng rng(1);
  std::map<std::string, Value> by_name;
  for (const Value& value : values({"a", "b", "c"}, rewards, "", options, rng))
    by_name[value.candidate] = value;
  return by_name;
}

TEST(LoopValuesTest, RewardsAddUpOverWhatProductionWas) {
  const auto known =
      learned({reward("a", 0.1), reward("b", 0.05, "a"), reward("a", 0.1), reward("b", 0.05, "a")});
  EXPECT_NEAR(known.at("a").mean, 0.1, 0.02);
  EXPECT_NEAR(known.at("b").mean, 0.14, 0.03);
  EXPECT_GT(known.at("b").best, 0.5);
  EXPECT_EQ(known.at("b").rewards, 2u);
  EXPECT_NEAR(known.at("").mean, 0, 1e-6);
  EXPECT_GT(known.at("c").deviation, known.at("a").deviation);
}

TEST(LoopValuesTest, WhatIsOldWeighsLess) {
  std::vector<StoredReward> rewards;
  for (int i = 0; i < 20; ++i) rewards.push_back(reward("a", 0.1));
  for (int i = 0; i < 20; ++i) rewards.push_back(reward("a", -0.1));
  EXPECT_LT(learned(rewards).at("a").mean, -0.04);
}

TEST(LoopValuesTest, HarmAndOtherToolchainsAreNotForgotten) {
  StoredReward harm = reward("a", -0.6), other = reward("b", 0.5);
  harm.censored = true;
  other.toolchain = "another";
  const auto known = learned({harm, other});
  EXPECT_TRUE(known.at("a").barred);
  EXPECT_EQ(known.at("a").best, 0);
  EXPECT_EQ(known.at("b").rewards, 0u);
}

TEST(LoopValuesTest, WhatCameToNothingRestsLongerEachTime) {
  StoredReward end{.candidate = "a", .outcome = Outcome::kVoid, .computed_s = 1000};
  std::vector<StoredReward> ends;
  double last = 0;
  for (int i = 0; i < 40; ++i) {
    ends.push_back(end);
    const double rest = learned(ends).at("a").rests_until_s - 1000;
    EXPECT_EQ(rest, i == 0 ? 60 : std::min(86400.0, 2 * last));
    last = rest;
  }
  ends.push_back(reward("a", 0.1));
  ends.back().outcome = Outcome::kInconclusive;
  EXPECT_EQ(learned(ends).at("a").rests_until_s, 0) << "that was a trial";
  StoredReward worse = reward("a", 0.0);
  worse.outcome = Outcome::kRejected;  // for its tail, say
  EXPECT_EQ(learned({worse}).at("a").rests_until_s, 3600);
}

TEST(LoopValuesTest, WhoIsForgivenMayBeTriedAtOnce) {
  StoredReward harm = reward("a", -0.69);
  harm.censored = true;
  harm.outcome = Outcome::kRolledBack;
  EXPECT_TRUE(learned({harm}).at("a").barred);
  harm.forgiven = true;
  EXPECT_FALSE(learned({harm}).at("a").barred);
  EXPECT_EQ(learned({harm}).at("a").rests_until_s, 0);
}

TEST(LoopValuesTest, HarmIsNotForgottenWithItsBaseline) {
  StoredReward harm = reward("a", -0.69, "a candidate that loop.toml had once");
  harm.censored = true;
  EXPECT_TRUE(learned({harm}).at("a").barred);
}

TEST(LoopValuesTest, APenaltySaysNothingOfWhatServedBesideIt) {
  StoredReward harm = reward("b", -0.69, "a");
  harm.censored = true;
  EXPECT_EQ(learned({reward("a", 0.1), harm}).at("a").mean, learned({reward("a", 0.1)}).at("a").mean);
}

TEST(LoopValuesTest, ProbabilitiesAreThoseOfTheChoice) {
  const Store store = *Store::open(":memory:", true);
  ThompsonChooser chooser(store, {"a", "b", "c"}, "", {});
  Rng rng(2);
  std::map<std::string, int> chosen;
  double logged = 0;
  constexpr int kTimes = 300;
  for (int i = 0; i < kTimes; ++i) {
    const std::optional<Choice> choice = *chooser.choose("a", 1, 0, rng);
    ++chosen[choice->candidate];
    if (choice->candidate == "b") logged = choice->probability;
  }
  EXPECT_EQ(chosen["a"], 0) << "what production is already is not tried";
  EXPECT_NEAR(chosen["b"] / static_cast<double>(kTimes), logged, 0.12);
  ThompsonChooser recorder(store, {"a", "b", "c"}, "", {}, {{"b", "[1]"}});
  const Choice choice = **recorder.choose("a", 1, 0, rng);
  ASSERT_EQ(choice.among.size(), 2u);
  EXPECT_EQ(choice.among[0].sequences, "[1]");
  EXPECT_EQ(choice.among[1].sequences, "");
  EXPECT_NEAR(choice.among[0].probability + choice.among[1].probability, 1, 1e-9);
  EXPECT_FALSE(*ThompsonChooser(store, {"a"}, "", {}).choose("a", 1, 0, rng));
}

}  // namespace
}  // namespace ordo::loop
