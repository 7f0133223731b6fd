// The answer to "is this program faster than that one": a trial that is not void, or the reason why there is
// none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/clock.h"
#include "support/error.h"
#include "support/json.h"
#include "timing/trial.h"

namespace ordo::timing {

struct Comparison {
  std::string baseline, candidate;  // what they are called
  bool identical = false;           // what is loaded of them is the same: no trial was made
  TrialOptions options;
  Trial trial;                      // the last
  std::vector<std::string> voided;  // why each trial before it was void
  double p = 1;                     // see pValue(); after adjust() also for the other programs of the run
  unsigned processor = 0;
  std::string counters_problem;  // why there are no cycles and instructions, or ""

  Verdict verdict() const { return trial.verdict; }
};

// Trials until one is not void, or `repeats` more of them were void too; a trial that was interrupted is the
// last. Each has the next seed. A program that fails or has other output is not tried again.
Result<Comparison> compare(Runner& runner, const Clock& clock, const TrialOptions& options, unsigned repeats);

// The middle over all cells of an arm; nothing if some were not counted.
std::optional<double> typical(const Trial& trial, Arm arm, Quantity quantity);

// That of two programs of which the same is loaded: no difference, exactly, without a run.
Comparison identicalPrograms(const TrialOptions& options);

// For several programs at once: a claim stands if its p-value, adjusted by Holm's method for all of them, is
// at most 2 alpha; else it becomes "no difference shown". Void ones count: they were asked too. Those that
// are identical claim nothing by nature, and do not.
void adjust(std::vector<Comparison>& comparisons);

// For people, in at most 100 columns, each line with its end.
std::string toText(const Comparison& comparison);

// Everything, with the pairs that the interval was made from (docs/timing.md).
Json toJson(const Comparison& comparison);

}  // namespace ordo::timing
