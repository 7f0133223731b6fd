#include "loop/learning/lessons.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordo::loop {
namespace {

using experience::Trial;

Trial trial(const std::string& candidate, double reward, double error = 0.01, bool censored = false) {
  static int number = 0;
  return {.id = std::to_string(++number),
          .candidate = candidate,
          .baseline = "",
          .among = {{"a", 0.5}, {"b", 0.5}},
          .reward = reward,
          .error = error,
          .censored = censored};
}

TEST(LoopLessonsTest, WorthsAreWhatTrialsSaid) {
  std::vector<Trial> trials;
  for (int i = 0; i < 10; ++i) {
    trials.push_back(trial("a", 0.1));
    trials.push_back(trial("b", -0.05));
  }
  auto known = worths(trials);
  EXPECT_NEAR(known.at("a"), 0.1, 0.01);
  EXPECT_NEAR(known.at("b"), -0.05, 0.01);
  EXPECT_NEAR(known.at(""), 0, 1e-9);
  trials.push_back(trial("b", -0.6, 0.1, true));
  known = worths(trials);
  EXPECT_NEAR(known.at("b"), -0.6, 1e-9) << "a penalty is what its candidate is worth";
  EXPECT_NEAR(known.at("a"), 0.1, 0.01);
}

TEST(LoopLessonsTest, TheBetterWeighsMoreAndNoiseHardly) {
  const std::vector<Trial> trials = {trial("a", 0.05), trial("b", -0.05)};
  const auto weights = lessonWeights(trials, worths(trials));
  EXPECT_NEAR(weights.at("a") / weights.at("b"), std::exp(0.1 / 0.05), 1e-6);
  const std::vector<Trial> noisy = {trial("a", 0.05, 1), trial("b", -0.05, 1)};
  const auto noise = lessonWeights(noisy, worths(noisy));
  EXPECT_LT(noise.at("a"), weights.at("a") / 1000);
}

TEST(LoopLessonsTest, NoSequenceWeighsMoreThanItMay) {
  const std::vector<Trial> trials = {trial("a", 0.69), trial("b", -0.69)};
  const LessonOptions options{.beta = 0.01, .most = 5};
  const auto weights = lessonWeights(trials, worths(trials), options);
  EXPECT_NEAR(weights.at("a"), 0.5 * 0.5 * 5, 1e-9);
  EXPECT_LT(weights.at("b"), 1e-9);
}

TEST(LoopLessonsTest, WhatWasComparedWithABetterProductionIsWorthThatMore) {
  Trial over = trial("b", 0.0);
  over.baseline = "a";
  over.among = {{"b", 1}};
  std::vector<Trial> trials = {trial("a", 0.1), trial("a", 0.1), over};
  const auto weights = lessonWeights(trials, worths(trials));
  EXPECT_NEAR(weights.at("b") / weights.at("a"), 0.5, 0.1) << "one trial of as good a candidate";
}

}  // namespace
}  // namespace ordo::loop
