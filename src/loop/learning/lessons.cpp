#include "loop/learning/lessons.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ordo::loop {
namespace {

using experience::Trial;

double at(const std::map<std::string, double>& worths, const std::string& candidate) {
  const auto found = worths.find(candidate);
  return found == worths.end() ? 0 : found->second;
}

}  // namespace

std::map<std::string, double> worths(const std::vector<Trial>& trials, const LearningOptions& options) {
  std::set<std::string> names;
  std::vector<StoredReward> rewards;
  for (const Trial& trial : trials) {
    for (const auto& [candidate, probability] : trial.among) names.insert(candidate);
    names.insert(trial.baseline);
    rewards.push_back({.experiment = trial.id,
                       .candidate = trial.candidate,
                       .baseline = trial.baseline,
                       .probability = trial.among.at(trial.candidate),
                       .value = trial.reward,
                       .error = trial.error,
                       .censored = trial.censored});
  }
  names.erase("");
  Rng rng(1);
  LearningOptions once = options;
  once.draws = 1;  // only the means are asked for
  std::map<std::string, double> worths;
  for (const Value& value : values({names.begin(), names.end()}, rewards, "", once, rng))
    worths[value.candidate] = value.mean;
  for (const Trial& trial : trials)
    if (trial.censored) worths[trial.candidate] = worths[trial.baseline] + trial.reward;
  return worths;
}

std::map<std::string, double> lessonWeights(const std::vector<Trial>& trials,
                                            const std::map<std::string, double>& worths,
                                            const LessonOptions& options) {
  const double drift = options.drift * options.drift;
  const auto precision = [&](const Trial& trial) { return drift / (trial.error * trial.error + drift); };
  const auto outcome = [&](const Trial& trial) { return trial.reward + at(worths, trial.baseline); };
  double sum = 0, weight = 0;
  for (const Trial& trial : trials) {
    sum += precision(trial) * outcome(trial);
    weight += precision(trial);
  }
  std::map<std::string, double> weights;
  for (const Trial& trial : trials) {
    const double advantage = outcome(trial) - sum / weight;
    weights[trial.candidate] += precision(trial) *
                                std::min(options.most, std::exp(advantage / options.beta)) /
                                static_cast<double>(trials.size());
  }
  return weights;
}

}  // namespace ordo::loop
