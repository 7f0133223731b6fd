// The user's own build, run in a shell with Ordo's compilers for CC and CXX.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "builds/free_flags.h"
#include "builds/log.h"
#include "builds/settings.h"
#include "builds/variables.h"
#include "projects/compile_commands.h"
#include "support/error.h"

namespace ordo::projects {

// For `sh -c`, in the current folder. "": there is none.
struct Commands {
  std::string build;
  std::string clean;  // before each build; without, what is to be compiled again is removed
  std::string check;  // the project's own tests
};

// Commands that fail are kInvalidArgument with the end of what they said, but for checks; kDeadlineExceeded
// once `stop` is true. One thread.
class Build {
 public:
  // `scratch` is a folder of the caller's for logs and modules. `stop` may be null.
  Build(Commands commands, const builds::Settings& settings, std::filesystem::path scratch,
        const std::atomic<bool>* stop);

  // Compiles plainly. A line for each module that could be tuned, whose bitcode is then at bitcodeOf().
  // kNotFound, with a reason and a remedy, if there is none.
  Result<std::vector<builds::LogLine>> record();
  // After record(): the same of the links of that project, each as the one module that -flto makes of it,
  // whose plain objects and linked files are removed before. From now on rebuild() is about links.
  Result<std::vector<builds::LogLine>> recordLinks();
  // The same for a list of commands, of which only the front end's work is used: nothing is written where
  // they say.
  Result<std::vector<builds::LogLine>> record(const std::vector<CompileCommand>& commands, unsigned jobs);

  // Compiles plainly with `choices`, and nothing is recorded.
  Status plain(const builds::FreeChoices& choices);
  // From now on all builds have these flags.
  void use(builds::FreeChoices choices) { free_flags_ = std::move(choices); }

  // Compiles what was recorded again, with what the cache in `cache` knows and without a search. A line for
  // each compilation. kUnavailable if the build has left out any.
  Result<std::vector<builds::LogLine>> rebuild(const std::filesystem::path& cache);

  // How the tests ended, if they failed; "" if all is well.
  Result<std::string> check();

  std::filesystem::path bitcodeOf(const std::string& key) const { return scratch_ / (key + ".bc"); }

 private:
  Result<std::vector<builds::LogLine>> recorded();
  builds::Variables recording() const;
  Status buildAnew(const builds::Variables& variables);

  const Commands commands_;
  const builds::Settings settings_;
  const std::filesystem::path scratch_;
  const std::atomic<bool>* const stop_;
  bool linked_ = false;
  builds::FreeChoices free_flags_;
  std::vector<std::string> made_;     // by the builds so far
  std::vector<std::string> objects_;  // that were recorded, and are to be made again
  std::string said_;                  // by the latest command
};

}  // namespace ordo::projects
