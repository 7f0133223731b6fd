// How the commands talk: results on standard output, everything else on standard error; a progress
// line that is redrawn on a terminal and absent elsewhere; Ctrl-C that is heard once.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

#include "support/error.h"
#include "support/text.h"

namespace ordo::cli {

// Prints "ordo: <message>" and gives the exit code of the error.
int report(const Error& error);

// Prints "ordo: note: <text>" on standard error.
void note(std::string_view text);

// A line at the bottom of the terminal. Thread-safe.
class ProgressLine {
 public:
  // Draws only if standard error is a terminal and `enabled`.
  explicit ProgressLine(bool enabled);
  ~ProgressLine() { clear(); }

  bool visible() const { return visible_; }
  void show(std::string_view text);
  void clear();
  // A line that stays, above the progress line.
  void print(std::string_view line);

 private:
  const bool visible_;
  std::mutex mutex_;
  std::string shown_;
};

// True once Ctrl-C (or SIGTERM) came; the second one ends the process at once. Installs its handler
// at the first call.
const std::atomic<bool>& interrupted();
// For a prompt, which goes on afterwards.
void forgetInterrupt();

}  // namespace ordo::cli
