// Makes the runs of a study that are missing, several at a time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "study/run.h"
#include "study/study_file.h"
#include "support/clock.h"

namespace ordo::study {

// What the runner asks of its surroundings. Thread-safe.
class Host {
 public:
  virtual ~Host() = default;

  // A place for one run, on the calling thread.
  virtual Result<std::unique_ptr<Site>> openSite() = 0;

  // A program, ready. Its `uri` and `suite` are filled in by the caller. An error that has to do with the
  // program counts as its failure; kUnavailable is ours.
  virtual Result<Subject> prepare(const std::string& uri) = 0;
};

struct Plan {
  struct Entry {
    std::string uri;
    std::string suite;
  };
  std::vector<Entry> programs;
  std::vector<Method> methods;
  std::vector<search::Objective> objectives;
  std::vector<std::string> metrics;  // results are measured in all of them
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 3;
  std::uint64_t compiles = 1000;
  std::uint64_t max_length = 60;
  unsigned jobs = 1;  // runs at a time; each keeps one processor busy

  // Seeds outermost, so that a study that ends early has all programs and methods.
  std::vector<RunKey> runs() const;
};

struct Progress {
  std::uint64_t done = 0;  // of this plan's runs, also those done before
  std::uint64_t total = 0;
  std::uint64_t failed = 0;  // of those made now
  std::uint64_t made = 0;    // now
  double seconds = 0;        // since the start
  double left_s = 0;         // what the rest should take
  double cpu_s = 0;          // of the runs made now
};

struct RunnerOptions {
  const std::atomic<bool>* stop = nullptr;
  // After each run, one call at a time, on any thread.
  std::function<void(const Progress&, const Run&)> on_run;
};

// What became of a plan.
struct Outcome {
  Progress progress;
  bool stopped = false;
};

// Counts the runs of a plan as they end. One thread at a time.
class Progression {
 public:
  Progression(std::uint64_t total, std::uint64_t done) : progress_{.done = done, .total = total} {}
  const Progress& add(const Run& run);
  const Progress& now() const { return progress_; }

 private:
  Progress progress_;
  double start_s_ = SteadyClock().seconds();
};

// Makes those runs of `plan` that `writer` has not, and adds each as it ends. A run depends on its key
// only, not on the others. The first error that no program is to blame for ends it; what is done stays.
Result<Outcome> runPlan(Host& host, StudyWriter& writer, const Plan& plan, const RunnerOptions& options);

}  // namespace ordo::study
