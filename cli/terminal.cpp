#include "cli/terminal.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cli/exit_code.h"

namespace ordo::cli {
namespace {

std::atomic<bool> g_interrupted{false};

void onInterrupt(int) {
  if (g_interrupted.exchange(true)) ::_exit(kInterrupted);
}

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

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
  return (value < 0 ? "-" : "") + digits;
}

std::string change(double baseline, double tuned) {
  if (baseline == 0) return tuned == 0 ? "0.00 %" : "n/a";
  const double percent = (tuned - baseline) / baseline * 100;
  return std::abs(percent) < 0.005 ? "0.00 %" : fmt::format("{:+.2f} %", percent);
}

ProgressLine::ProgressLine(bool enabled) : visible_(enabled && ::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(std::string_view text) {
  if (!visible_) return;
  const std::lock_guard lock(mutex_);
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

const std::atomic<bool>& interrupted() {
  static const bool installed = [] {
    struct sigaction action{};
    action.sa_handler = onInterrupt;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    return true;
  }();
  static_cast<void>(installed);
  return g_interrupted;
}

}  // namespace ordo::cli
