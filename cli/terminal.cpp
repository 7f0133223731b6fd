#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/exit_code.h"

namespace ordo::cli {
namespace {

constexpr double kSecondsBetweenLines = 60;  // in a log

const SteadyClock g_steady_clock;

std::size_t terminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1u : 99;
}

}  // namespace

int report(const Error& error) {
  fmt::print(stderr, "ordo: {}\n", error.message);
  return exitCode(error.code);
}

void note(std::string_view text) { fmt::print(stderr, "ordo: note: {}\n", text); }

ProgressLine::ProgressLine(bool enabled) : ProgressLine(enabled, g_steady_clock) {}

ProgressLine::ProgressLine(bool enabled, const Clock& clock)
    : enabled_(enabled),
      visible_(enabled && ::isatty(STDERR_FILENO) == 1),
      clock_(clock),
      printed_s_(clock.seconds()) {}

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
  const std::lock_guard lock(mutex_);
  if (shown_.empty())
    fmt::print(stderr, "{}\n", line);
  else
    fmt::print(stderr, "\r\033[K{}\n{}", line, shown_);
  std::fflush(stderr);
}

}  // namespace ordo::cli
