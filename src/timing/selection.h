// Which of many candidates is faster than the baseline, shown twice: a race chooses those worth a trial; one
// that wins its trial has to win another, built anew and with its code at other addresses. Nothing that chose
// a candidate speaks for it: trials are on fresh runs, so the best of many is not taken for a good one. What
// has a problem, as its field says, gives way to the next best before its trial.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/clock.h"
#include "support/error.h"
#include "timing/comparison.h"
#include "timing/race.h"

namespace ordo::timing {

struct SelectionOptions {
  double budget_s = 60;       // for the race and all trials; exceeded where a void trial is repeated
  std::size_t finalists = 3;  // that may have a trial
  TrialOptions trial;         // its budget is chosen here; `share` is that of budget_s, its `stop` ends all
  // "a race of 32 candidates", "trial 1: block 3 of at most 40"
  std::function<void(std::string_view)> on_step = {};
};

struct Selection {
  // Of the candidate that came farthest: kFaster if it won both its trials, else what came of its last one.
  Verdict verdict = Verdict::kVoid;
  std::string why;
  std::optional<std::size_t> candidate;  // nothing if none had a trial
  Comparison last;                       // that candidate's last trial
  std::vector<Standing> standings;       // of the race
  unsigned trials = 0;
};

// The least budget in which a program that runs for `run_s` can be shown to be faster.
double leastSelectionSeconds(double run_s);

// Errors as of race(), compare() and the field.
Result<Selection> select(Field& field, const Clock& clock, const SelectionOptions& options);

}  // namespace ordo::timing
