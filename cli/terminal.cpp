#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "support/exit_code.h"

namespace ordo::cli {
namespace {

constexpr double kSecondsBetweenLines = 60;  // in a log

const SteadyClock g_steady_clock;

// The latest progress line that is there, for notes to stay above it.
std::mutex g_live_mutex;
ProgressLine* g_live = nullptr;

void printAboveProgress(std::string_view line) {
  const std::lock_guard lock(g_live_mutex);
  if (g_live != nullptr)
    g_live->print(line);
  else
    fmt::print(stderr, "{}\n", line);
}

std::size_t terminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1u : 99;
}

}  // namespace

int report(const Error& error) {
  printAboveProgress(fmt::format("ordo: {}", error.message));
  // What was stopped says that its time was over, whoever stopped it.
  if (error.code == ErrorCode::kDeadlineExceeded && interrupted()) return kInterrupted;
  return exitCode(error.code);
}

void note(std::string_view text) { printAboveProgress(fmt::format("ordo: note: {}", text)); }

ProgressLine::ProgressLine(bool enabled) : ProgressLine(enabled, g_steady_clock) {}

ProgressLine::ProgressLine(bool enabled, const Clock& clock)
    : enabled_(enabled),
      visible_(enabled && ::isatty(STDERR_FILENO) == 1),
      clock_(clock),
      printed_s_(clock.seconds()) {
  const std::lock_guard lock(g_live_mutex);
  g_live = this;
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(g_live_mutex);
    if (g_live == this) g_live = nullptr;
  }
  clear();
}

void ProgressLine::show(std::string_view text) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  if (!visible_) {
    if (const double now = clock_.seconds(); now - printed_s_ >= kSecondsBetweenLines) {
      printed_s_ = now;
      fmt::print(stderr, "{}\n", text);
    }
    return;
  }
  shown_ = text.substr(0, terminalWidth());
  fmt::print(stderr, "\r{}\033[K", shown_);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_.empty()) return;
  shown_.clear();
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

void ProgressLine::print(std::string_view line) {
  while (line.ends_with('\n')) line.remove_suffix(1);
  const std::lock_guard lock(mutex_);
  if (shown_.empty())
    fmt::print(stderr, "{}\n", line);
  else
    fmt::print(stderr, "\r\033[K{}\n{}", line, shown_);
  std::fflush(stderr);
}

}  // namespace ordo::cli
