// One run: one method on one program, watched. A searcher sees what it sees under `ordo tune` with one
// job, and its whole budget; every evaluation counts, wherever it comes from, because all of them go
// through one evaluator.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "study/method.h"
#include "study/study.h"
#include "support/usage.h"

namespace ordo::study {

// A program made ready for runs.
struct Subject {
  Program program;
  env::SessionSpec spec;
  env::ActionIndex baseline = 0;  // among spec.actions
  search::Knowledge knowledge;    // of other programs, and the features of this one
};

// Where a run happens: a backend that nobody else uses meanwhile, so that what its processes have used is
// what the run has used, and nothing learned in one run helps another.
class Site {
 public:
  virtual ~Site() = default;
  virtual env::Backend& backend() = 0;
  // Of the backend's processes since the site was made.
  virtual FamilyUsage usage() const = 0;
  virtual std::int64_t workersDied() const = 0;
};

struct RunOptions {
  Method method;
  search::Objective objective;
  std::uint64_t seed = 1;
  std::uint64_t compiles = 1000;
  std::uint64_t max_length = 60;
  std::vector<std::string> metrics;  // in which results are measured; the objective's is one of them
  const std::atomic<bool>* stop = nullptr;
};

// Runs the method to its end. A program whose seeds cannot be measured is a Run with a failure, and so is a
// method that broke; an error is ours (kUnavailable: try again later), or kDeadlineExceeded if the stop flag
// went up, and leaves no record. With a deterministic backend and method all but times, memory and
// Statistics::seconds follow from the arguments.
Result<Run> runMethod(Site& site, const Subject& subject, const RunOptions& options);

}  // namespace ordo::study
