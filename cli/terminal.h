// How the commands talk: results on standard output, everything else on standard error; a progress
// line that is redrawn on a terminal and printed once a minute elsewhere; Ctrl-C that is heard once.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "support/clock.h"
#include "support/error.h"
#include "support/interrupt.h"
#include "support/text.h"

namespace ordo::cli {

// Prints "ordo: <message>", as note() does, and gives the exit code of the error.
int report(const Error& error);

// Prints "ordo: note: <text>" on standard error, above the progress line if there is one. Thread-safe.
void note(std::string_view text);

// A line at the bottom of the terminal; where standard error is none, as in a log, a line each minute.
// Thread-safe.
class ProgressLine {
 public:
  // Shows nothing unless `enabled`. `clock`, by default the steady one, has to outlive it.
  explicit ProgressLine(bool enabled);
  ProgressLine(bool enabled, const Clock& clock);
  ~ProgressLine();

  // Whether it is redrawn, on a terminal.
  bool visible() const { return visible_; }
  void show(std::string_view text);
  void clear();
  // A line that stays, above the progress line.
  void print(std::string_view line);

 private:
  const bool enabled_, visible_;
  const Clock& clock_;
  double printed_s_;  // when a line was last due
  std::mutex mutex_;
  std::string shown_;
};

using ordo::forgetInterrupt;
using ordo::interrupted;

}  // namespace ordo::cli
