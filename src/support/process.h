// Running other programs (clang, opt, a suite program under test) and collecting what they say.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo {

struct ProcessOptions {
  std::string input;                          // bytes for its standard input
  std::optional<std::filesystem::path> dir;   // working directory; ours if absent
  double timeout_s = 300;                     // wall clock; past it the process group is killed
  std::size_t max_output_bytes = 256u << 20;  // past it the process group is killed too
  // "NAME=value" each, instead of our environment. Does not change where `argv[0]` is looked up.
  std::optional<std::vector<std::string>> environment = {};
  // The process group is killed soon after this becomes true, as if its time were over.
  const std::atomic<bool>* stop = nullptr;
  // It does the same each time and leaves nothing half done, as a compiler does: should somebody else kill or
  // stop it, it is started anew (twice at most).
  bool repeatable = false;
};

struct ProcessResult {
  int exit_code = -1;  // of a process that exited; -1 if a signal or the timeout ended it
  int signal = 0;      // the signal that ended it, or 0
  bool timed_out = false;
  std::string out;
  std::string err;
  double seconds = 0;

  bool ok() const { return exit_code == 0; }
  // Whether somebody else may have ended it, as against itself or us: a batch system, the system for want of
  // memory.
  bool disturbed() const;
  // "exited with status 1", "was killed by signal 11 (Segmentation fault)", "ran past 10 s".
  std::string ending() const;
};

// Runs `argv` (looked up in PATH) to its end. The child dies with the calling thread. kNotFound if
// there is no such program; a program that fails is a result, not an error. Thread-safe.
Result<ProcessResult> runProcess(const std::vector<std::string>& argv, const ProcessOptions& options = {});

// The first of `names` that is an executable in PATH or in /usr/lib/llvm-22/bin. A link to Ordo's drop-in
// compiler under the name of a compiler is none: who looks for that wants the real one.
std::optional<std::string> findProgram(const std::vector<std::string>& names);

// `argv` as one line that a POSIX shell reads back as the same words.
std::string shellQuote(const std::vector<std::string>& argv);

}  // namespace ordo
