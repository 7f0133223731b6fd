// Which of many candidates is better than the baseline, shown twice: a race chooses those worth a trial,
// which is what an answer of the experiment is here; one that wins its trial has to win another, on other
// grounds. Nothing that chose a candidate speaks for it: trials are on evidence of their own, so the best of
// many is not taken for a good one. What has a problem, as the experiment says, gives way to the next best
// before its trial.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "env/experiment.h"
#include "support/clock.h"
#include "support/error.h"
#include "timing/race.h"

namespace ordo::timing {

struct SelectionOptions {
  double budget_s = 60;       // for the race and all trials; exceeded where a void trial is repeated
  std::size_t finalists = 3;  // that may have a trial
  double share = 1;           // that budget_s is of what people give with --budget; for what they are told
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;  // ends it; what is under way is the experiment's to end
  // "a race of 32 candidates", "trial 1: block 3 of at most 40"
  std::function<void(std::string_view)> on_step = {};
};

struct Selection {
  // Of the candidate that came farthest: kBetter if it won both its trials, else what came of its last one.
  env::Verdict verdict = env::Verdict::kVoid;
  std::string why;
  std::optional<std::size_t> candidate;  // nothing if none had a trial
  env::Claim last;                       // of that candidate's last trial
  std::vector<Standing> standings;       // of the race
  unsigned trials = 0;
};

// The least budget in which a program that runs for `run_s` can be shown to be faster.
double leastSelectionSeconds(double run_s);

// Errors are those of the experiment.
Result<Selection> select(env::Experiment& experiment, const Clock& clock, const SelectionOptions& options);

}  // namespace ordo::timing
