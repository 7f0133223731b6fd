// Collecting experience (docs/formats/experience.md): searches on training programs, into a file.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/eval.h"
#include "experience/writer.h"
#include "search/driver/driver.h"
#include "spaces/space.h"
#include "study/runner.h"
#include "support/error.h"

namespace ordo::campaigns {

// What all runs of a file have in common, beside backend and space.
struct CollectSettings {
  search::Budget budget{.evaluations = 1000};
  std::string knowledge = "none";  // fingerprint() of what searchers have learned
  std::uint64_t max_length = 60;
  std::uint64_t max_instructions = 5000;
  std::uint64_t best = 8;
  std::vector<std::string> observations{"autophase", "ir2vec"};  // of states; none: states are not recorded
};

// The header of a file collected so. kInvalidArgument for a budget in seconds, because such runs would not
// repeat, and for an observation that there is not or that is no row of int64 or float32.
Result<experience::Header> collectHeader(const env::BackendInfo& info, const spaces::Space& space,
                                         const CollectSettings& settings);

// Each of `uris` once, as its dataset names it. An error of datasets::loadProgram(), or kInvalidArgument if
// one of them may not be trained on: before the first is touched.
Result<std::vector<std::string>> trainingPrograms(const std::vector<std::string>& uris);

struct CollectProgress {
  std::uint64_t total = 0;     // runs asked for
  std::uint64_t done = 0;      // of them in the file, also those done before
  std::uint64_t left_out = 0;  // of them
  std::uint64_t made = 0;      // now
  double seconds = 0;          // since the start
  double left_s = 0;           // what the rest should take
  bool stopped = false;        // early, by `stop`

  // One more was made, so many seconds after the start.
  void countMade(double now_s) {
    ++made;
    seconds = now_s;
    left_s = seconds / static_cast<double>(made) * static_cast<double>(total - done - left_out);
  }
};

struct CollectOptions {
  std::vector<std::string> programs;  // uris
  std::vector<const search::SearcherInfo*> searchers;
  std::vector<search::Objective> objectives;
  std::vector<std::string> metrics = evalMetrics();  // of results; objectives are among them
  search::Budget budget{.evaluations = 1000};        // of a run
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  unsigned jobs = 1;                        // runs at a time; each keeps one processor busy
  const std::atomic<bool>* stop = nullptr;  // may be null

  // After each run, and of each program that is left out and why. One call at a time, on any thread; may
  // be empty.
  std::function<void(const CollectProgress&, const experience::RunKey&)> on_run;
  std::function<void(std::string_view)> note;
};

// Makes those runs that `writer` has not, and adds each as it ends. A run depends on its key and on `header`,
// which is the writer's, only. What a program is to blame for leaves it out: it cannot be compiled, it is too
// large, its baseline cannot be measured. Any other error ends it; what is done stays.
Result<CollectProgress> collect(study::Host& host, const experience::Header& header,
                                experience::Writer& writer, const CollectOptions& options);

}  // namespace ordo::campaigns
