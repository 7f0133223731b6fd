// The run time of a program's state beside what clang makes of the program: what the reward of an episode
// whose outcome is staged is made of. The state is built, passes the program's tests, and does on its timed
// runs what the baseline does. A look, two runs of each, screens what is clearly slower; all else is run in
// turns with the baseline in a trial (timing/trial.h) until it is clear which is faster, or the budget is
// spent.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "datasets/program.h"
#include "env/session.h"
#include "frontend/level.h"
#include "support/error.h"
#include "support/files.h"
#include "timing/trial.h"

namespace ordo::running {

struct RunTimeOptions {
  frontend::Level baseline = frontend::Level::kO3;  // `clang-22 -O3` makes what it is compared with
  double budget_s = 10;  // of a trial; it may end earlier, and its start is no part of it
};

// Thread-safe: only one program is timed at a time, for they would be in each other's way.
class RunTime {
 public:
  explicit RunTime(const RunTimeOptions& options) : options_(options) {}

  // The processor time of `executable` as a multiple of the baseline's, lower being better: the trial's
  // estimate, whatever its verdict, or the look's, of what is clearly slower or has no room in the budget for
  // a trial. 1 without a run if what is loaded of both is the same, and 1 if nothing can be said (a void
  // trial): what was not shown is no gain and no loss. `detail` says which it was. A program that does
  // something else than it should is a failed measurement. kUnsupported for a program that nothing says how
  // to run, or that does not do the same twice.
  Result<env::Measurement> measure(const datasets::Program& program, const std::filesystem::path& executable);

 private:
  Result<std::filesystem::path> baselineOf(const datasets::Program& program);

  const RunTimeOptions options_;
  std::mutex mutex_;  // guards what follows, and the processor
  std::optional<TempDir> dir_;
  std::map<std::string, std::filesystem::path> baselines_;  // by the program's URI
  std::uint64_t trials_ = 0;                                // the seed of the next
};

}  // namespace ordo::running
