// Searches for recipes of many modules under one budget.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "builds/cache.h"
#include "builds/task.h"
#include "support/error.h"

namespace ordo::projects {

struct Module {
  std::string key;     // in the cache
  std::string source;  // absolute
  builds::Task task;
  std::string compiler;           // as in builds::Invocation
  std::filesystem::path bitcode;  // as it enters the pipeline
  double bytes = 0;               // of text of its plain object
  double code = 0;                // the part of them that is executed, of a link
  builds::Known known = {};       // what was found
  std::string trouble = {};       // why it was left alone, or ""

  // Whether anybody has searched for it, now or before.
  bool reached() const { return known.seconds > 0 || !known.order.empty(); }
};

struct TuningOptions {
  double seconds = 60;  // of wall clock; a search that has begun may run over
  unsigned jobs = 1;
  const std::atomic<bool>* stop = nullptr;  // ends it soon
  // Called after each search, one at a time, from any thread.
  std::function<void(double seconds_left)> on_search = {};
};

// Fills in what is known of each of `modules`, and what is found in the time there is, which the bandit deals
// out (bandit.h). What is found is in the cache at once, and another run goes on from there. Trouble with a
// module is that module's; errors are those that no module can be blamed for.
Status tuneModules(std::vector<Module>& modules, builds::Cache& cache, const TuningOptions& options);

}  // namespace ordo::projects
