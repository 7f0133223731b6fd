// Tunes a whole project: captures its build, searches for all modules under one budget, pins what was found
// in ordo.lock, builds again with it, and lets the project's own tests judge.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "builds/settings.h"
#include "projects/binaries.h"
#include "projects/build.h"
#include "projects/free_search.h"
#include "projects/tuning.h"
#include "support/error.h"

namespace ordo::projects {

struct ProjectOptions {
  Commands commands;                       // without one to build, what `compile_commands` has is only tuned
  std::filesystem::path compile_commands;  // instead of what a build shows; "" for none
  builds::Settings settings;               // of the cache and the objective
  bool linked = false;                     // tunes each link as one module, in place of files; needs a build
  bool free_flags = false;                 // looks for flags that cost nothing first (free_search.h)
  std::filesystem::path lock = "ordo.lock";
  double seconds = 60;  // of search
  unsigned jobs = 1;
  const std::atomic<bool>* stop = nullptr;  // ends the search and keeps what was found; ends builds

  std::function<void(std::string_view)> on_phase = {};  // "building", "checking the result"
  std::function<void(const FreeTrial&)> on_trial = {};
  // Called after each search, from any thread, one at a time.
  std::function<void(const std::vector<Module>&, double seconds_left)> on_search = {};
};

struct Binary {
  std::filesystem::path path;               // relative to the current folder
  builds::ObjectBytes before, free, after;  // as built before, with free flags alone, and in the end
};

struct Tuned {
  std::vector<Module> modules;     // sizes are those of the objects, if they were built again
  std::vector<Binary> binaries;    // if they were linked again
  builds::FreeChoices free_flags;  // with which all was built in the end
  std::string free_trouble;        // why the best of them are not used, or ""
  // With `linked`: bytes of text that are known, from earlier searches, to be saved by tuning file by file.
  double saved_by_files = 0;
  std::size_t locked = 0;  // files in the lock file; 0: there is none
  bool relinked = false;
  bool interrupted = false;
  bool checked = false;  // and the check passed in the end
  std::string failed;    // how the check, or the build, failed with tuned objects; "" if it did not
  std::vector<std::string> refused;  // sources that are plain again because of that
};

// kInvalidArgument if a command fails before anything is tuned; for others see Build and tuneModules().
Result<Tuned> tuneProject(const ProjectOptions& options);

}  // namespace ordo::projects
