// What each candidate is worth by all that was recorded, and which to try next.
//
// A reward says how much better one candidate was than what production was then, and production changes. So
// the values of all are estimated together by Kalman's filter, from a normal prior around what the stage
// said, each reward weighing by 1 / (its variance + a spread that windows do not show). What is known fades a
// little with each reward, and a lot with one that nobody would have expected: the load has shifted then.
// Choosing is Thompson's: a draw from what is believed, the best of which is tried; where production is the
// best of the draw, what is tried is what has been compared with it least or longest ago. And sometimes it is
// anything. The probability of all of that is recorded.
//
// What came to nothing (void, aborted, what production is already) rests before it is tried again, twice as
// long each time in a row, and what was rejected for longer. Harm bars for good. `ordo loop forgive` ends
// both.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "loop/controller/world.h"
#include "loop/store/store.h"

namespace ordo::loop {

struct LearningOptions {
  double prior = 0.05;    // deviation of a candidate's value before anything is known
  double drift = 0.01;    // deviation between the same canary on two days
  double walk = 0.01;     // deviation that is added to all with each reward
  double rest_s = 60;     // after the first trial that came to nothing
  unsigned draws = 2000;  // that a probability is counted from
};

// Log-ratios over the first production, which has 0.
struct Value {
  std::string candidate;
  double mean = 0, deviation = 0;
  double best = 0;  // probability that it is the best of all, production included
  std::size_t rewards = 0;
  bool barred = false;        // harm was seen: it is not tried again
  std::size_t fruitless = 0;  // trials in a row that came to nothing
  double rests_until_s = 0;
};

// Of `candidates` and the first production (""), in that order. Rewards of another `toolchain` are left out.
std::vector<Value> values(const std::vector<std::string>& candidates,
                          const std::vector<StoredReward>& rewards, const std::string& toolchain,
                          const LearningOptions& options, Rng& rng);

class ThompsonChooser final : public Chooser {
 public:
  // `store` has to outlive it. `sequences`: what candidates are made by, as text (store/sequences.h), where
  // that is known; it is recorded with the choice.
  ThompsonChooser(const Store& store, std::vector<std::string> candidates, std::string toolchain,
                  const LearningOptions& options, std::map<std::string, std::string> sequences = {})
      : store_(store),
        candidates_(std::move(candidates)),
        toolchain_(std::move(toolchain)),
        options_(options),
        sequences_(std::move(sequences)) {}

  // Never what production is, nor what is barred.
  Result<std::optional<Choice>> choose(const std::string& production, double temperature, double now_s,
                                       Rng& rng) override;

 private:
  const Store& store_;
  std::vector<std::string> candidates_;
  std::string toolchain_;
  LearningOptions options_;
  std::map<std::string, std::string> sequences_;
};

}  // namespace ordo::loop
