// What trials in production (experience/trial.h) say of candidates, for a policy to learn: how good each is
// thought to be, and how much its sequences weigh.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experience/trial.h"
#include "loop/learning/values.h"

namespace ordo::loop {

// Log-ratios over the first production (""), which has 0, of all that is named in trials: the means of
// values(), and for a candidate that did harm what its penalty says.
std::map<std::string, double> worths(const std::vector<experience::Trial>& trials,
                                     const LearningOptions& options = {});

struct LessonOptions {
  double beta = 0.05;   // log-ratio by which an advantage makes a sequence weigh e times as much
  double most = 20;     // times that it may
  double drift = 0.01;  // deviation between the same canary on two days, which windows do not show
};

// Advantage-weighted regression (Peng et al., 2019, https://arxiv.org/abs/1910.00177, equation 8): each trial
// adds to its candidate drift^2 / (error^2 + drift^2) * min(most, exp(advantage / beta)) over the number of
// trials. The first factor is 1 / sigma^2 up to a constant, so that it is from 0 (noise) to 1. The advantage
// is over the mean of all trials, each weighing by that factor. Candidates without a trial are not there.
std::map<std::string, double> lessonWeights(const std::vector<experience::Trial>& trials,
                                            const std::map<std::string, double>& worths,
                                            const LessonOptions& options = {});

}  // namespace ordo::loop
