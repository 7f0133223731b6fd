// Whether new weights may take the place of old ones, by trials that neither was learned from: only if they
// are surely better. That they are surely not worse would let them in for nothing.
//
// What a policy would have come to is estimated doubly robustly (Dudik, Langford & Li, 2011,
// https://arxiv.org/abs/1103.4601): in each trial the mean of what its choices are thought to be worth, and
// what the candidate that was tried came to beyond that, times how much more probably the policy would have
// tried it, as far as a limit. It is right if the logged probabilities are right or the worths are. The
// interval is of a bootstrap over trials, which are the same for both policies.
//
// A policy is what it scores each candidate: of those that could be tried it takes each with a probability in
// proportion to exp(score). The trainer's score is the mean log-probability of a step of its sequences.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experience/trial.h"
#include "support/error.h"

namespace ordo::loop {

using Scores = std::map<std::string, double>;

struct GateOptions {
  double confidence = 0.95;     // of the interval, which is cut on both sides
  double most_weight = 10;      // of a trial
  double least_effective = 10;  // trials that the weights leave, or nothing can be told
  unsigned resamples = 2000;
  std::uint64_t seed = 1;
};

// Mean log-ratio of latency that production was over what the policy tries; more than 0 is faster.
struct Estimate {
  double value = 0, low = 0, high = 0;
  double effective = 0;  // (sum of weights)^2 / sum of their squares
};

// kInvalidArgument if there are no trials, or a candidate without a score or with one that is not finite.
Result<Estimate> estimate(const std::vector<experience::Trial>& trials, const Scores& scores,
                          const std::map<std::string, double>& worths, const GateOptions& options = {});

struct Judgement {
  bool passes = false;
  std::string why;  // one line, with all estimates
  Estimate before, after;
  Estimate difference;  // of what `after` comes to, over `before`, in the same trials
};

// Passes if the interval of the difference is above 0, and enough trials are left of either. The errors of
// estimate().
Result<Judgement> judge(const std::vector<experience::Trial>& trials, const Scores& before,
                        const Scores& after, const std::map<std::string, double>& worths,
                        const GateOptions& options = {});

}  // namespace ordo::loop
