#include "loop/learning/gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loop/learning/lessons.h"
#include "support/rng.h"

namespace ordo::loop {
namespace {

using experience::Trial;

const std::map<std::string, double> kTruth = {{"a", 0.06}, {"b", 0.0}, {"c", -0.06}};
const std::map<std::string, double> kLogged = {{"a", 0.2}, {"b", 0.3}, {"c", 0.5}};

double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += rng.uniform();
  return sum;
}

// What a logging policy saw that likes the worst best.
std::vector<Trial> trials(std::size_t count, std::uint64_t seed, double noise = 0.03) {
  Rng rng(seed);
  std::vector<Trial> all;
  for (std::size_t i = 0; i < count; ++i) {
    double left = rng.uniform();
    std::string candidate = "c";
    for (const auto& [name, probability] : kLogged) {
      candidate = name;
      if ((left -= probability) < 0) break;
    }
    all.push_back({.id = std::to_string(i),
                   .candidate = candidate,
                   .baseline = "",
                   .among = kLogged,
                   .reward = kTruth.at(candidate) + noise * normal(rng),
                   .error = noise,
                   .censored = false});
  }
  return all;
}

// Scores of a policy that takes each with these probabilities.
Scores policy(double a, double b, double c) {
  return {{"a", std::log(a)}, {"b", std::log(b)}, {"c", std::log(c)}};
}

TEST(LoopGateTest, TheEstimateIsRightWithinItsInterval) {
  const Scores scores = policy(0.6, 0.3, 0.1);
  const double truth = 0.6 * 0.06 - 0.1 * 0.06;
  int inside = 0;
  double bias = 0;
  constexpr int kTimes = 200;
  for (int i = 0; i < kTimes; ++i) {
    const auto seen = trials(100, static_cast<std::uint64_t>(i));
    const Estimate one = *estimate(seen, scores, worths(seen), {.resamples = 400});
    inside += one.low <= truth && truth <= one.high;
    bias += (one.value - truth) / kTimes;
  }
  EXPECT_GE(inside, 0.88 * kTimes);
  EXPECT_NEAR(bias, 0, 0.002);
}

TEST(LoopGateTest, WorthsThatAreWrongAreSetRight) {
  const Scores scores = policy(0.6, 0.3, 0.1);
  const std::map<std::string, double> wrong = {{"a", -0.3}, {"b", 0.2}, {"c", 0.3}};
  const Estimate one = *estimate(trials(5000, 1), scores, wrong);
  EXPECT_NEAR(one.value, 0.03, 0.03);
  EXPECT_LT(one.low, 0.03);
  EXPECT_GT(one.high, 0.03);
}

TEST(LoopGateTest, TheBetterPassesAndTheWorseDoesNot) {
  const auto seen = trials(200, 3);
  const Scores good = policy(0.7, 0.2, 0.1), bad = policy(0.1, 0.2, 0.7);
  const Judgement better = *judge(seen, bad, good, worths(seen));
  EXPECT_TRUE(better.passes) << better.why;
  const Judgement worse = *judge(seen, good, bad, worths(seen));
  EXPECT_FALSE(worse.passes);
  EXPECT_NE(worse.why.find("not surely better"), std::string::npos);
  EXPECT_LT(worse.difference.high, 0);
}

TEST(LoopGateTest, TheSameIsNoReasonToWriteIt) {
  const auto seen = trials(200, 3);
  const Judgement same = *judge(seen, policy(0.7, 0.2, 0.1), policy(0.7, 0.2, 0.1), worths(seen));
  EXPECT_FALSE(same.passes);
  EXPECT_EQ(same.difference.low, 0);
  EXPECT_EQ(same.difference.high, 0);
}

// Two policies that are nearly the same: each alone is known badly, what they differ in is known well.
TEST(LoopGateTest, TheDifferenceIsTakenWithinTrials) {
  const auto seen = trials(200, 3);
  const Judgement judged = *judge(seen, policy(0.34, 0.33, 0.33), policy(0.36, 0.33, 0.31), worths(seen));
  EXPECT_TRUE(judged.passes) << judged.why;
  EXPECT_LT(judged.difference.high - judged.difference.low, 0.2 * (judged.after.high - judged.after.low));
}

// What `ordo train policy --algorithm awr` does, with a score for each candidate in the place of a network:
// of 40 trials the older half is learned from and the newer half judges. The share of `stores` that is
// written.
double written(const std::map<std::string, double>& truth, std::uint64_t stores) {
  std::uint64_t passed = 0;
  for (std::uint64_t store = 0; store < stores; ++store) {
    auto seen = trials(40, 1000 + store);
    for (Trial& trial : seen) trial.reward += truth.at(trial.candidate) - kTruth.at(trial.candidate);
    const std::vector<Trial> judges(seen.begin() + 20, seen.end());
    seen.resize(20);
    const auto worth = worths(seen);
    const auto weights = lessonWeights(seen, worth);
    double sum = 0;
    for (const auto& [candidate, weight] : weights) sum += weight;
    // Half way to where the regression ends that nothing holds back: in proportion to what each weighs.
    const Scores before = policy(0.34, 0.33, 0.33);
    Scores after = before;
    for (auto& [candidate, score] : after) {
      const auto weight = weights.find(candidate);
      score = std::log((std::exp(score) + (weight == weights.end() ? 0 : weight->second) / sum) / 2);
    }
    passed += judge(judges, before, after, worth, {.resamples = 400})->passes;
  }
  return static_cast<double>(passed) / static_cast<double>(stores);
}

// By the interval 2.5 % of what is noise pass. Lower bounds of the two policies, compared, let in 20 %.
TEST(LoopGateTest, NoiseIsSeldomWrittenAndWhatIsBetterMostly) {
  EXPECT_LE(written({{"a", 0}, {"b", 0}, {"c", 0}}, 400), 0.08);
  EXPECT_GE(written({{"a", 0.06}, {"b", 0}, {"c", -0.06}}, 200), 0.7);
}

TEST(LoopGateTest, TooFewTrialsAreRefusedWithTheReason) {
  const auto seen = trials(6, 3);
  const Judgement few = *judge(seen, policy(0.1, 0.2, 0.7), policy(0.7, 0.2, 0.1), worths(seen));
  EXPECT_FALSE(few.passes);
  EXPECT_NE(few.why.find("too few trials"), std::string::npos) << few.why;
  EXPECT_FALSE(judge({}, {}, {}, {}));
}

TEST(LoopGateTest, ManyTrialsOfWhatThePolicyNeverTakesAreFew) {
  auto seen = trials(400, 5);
  for (Trial& trial : seen) trial.among = {{"a", 0.001}, {"b", 0.001}, {"c", 0.998}};
  const Judgement judged = *judge(seen, policy(0.1, 0.2, 0.7), policy(0.98, 0.01, 0.01), worths(seen),
                                  {.most_weight = 10, .least_effective = 200});
  EXPECT_FALSE(judged.passes);
  EXPECT_LT(judged.after.effective, 200);
}

TEST(LoopGateTest, NoTrialWeighsMoreThanItMay) {
  std::vector<Trial> seen = {
      {.id = "x", .candidate = "a", .baseline = "", .among = {{"a", 1e-6}, {"b", 1 - 1e-6}}, .reward = 0.5}};
  const Scores scores = {{"a", 0}, {"b", -50}};
  EXPECT_NEAR(estimate(seen, scores, {}, {.most_weight = 3})->value, 1.5, 1e-9);
}

TEST(LoopGateTest, AScoreThatIsMissingOrNoneIsSaid) {
  const auto seen = trials(20, 1);
  EXPECT_FALSE(estimate(seen, {{"a", 0}, {"b", 0}}, {}));
  EXPECT_FALSE(estimate(seen, {{"a", 0}, {"b", 0}, {"c", NAN}}, {}));
}

}  // namespace
}  // namespace ordo::loop
