#include "frontend/crash_report.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace ordo::frontend {
namespace {

constexpr std::array<std::string_view, 2> kReports{"PLEASE submit a bug report", "Stack dump:"};
constexpr std::array<std::string_view, 2> kReasons{"LLVM ERROR: ", "fatal error: "};

// The next line of `text`, which loses it.
std::string_view takeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool startsReport(std::string_view line) {
  for (const std::string_view report : kReports) {
    if (line.starts_with(report)) return true;
  }
  return false;
}

// "Running pass 'x' on function '@f'" of "3.\tRunning pass …", an entry of the stack of what LLVM was doing.
std::string_view activityIn(std::string_view line) {
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) ++digits;
  if (digits == 0 || !line.substr(digits).starts_with(".\t")) return {};
  const std::string_view entry = line.substr(digits + 2);
  return entry.starts_with("Program arguments:") ? std::string_view() : entry;
}

}  // namespace

std::optional<std::string> crashIn(std::string_view said) {
  std::string reason;
  std::string_view activity;
  bool crashed = false;
  while (!said.empty()) {
    const std::string_view line = takeLine(said);
    crashed = crashed || startsReport(line);
    if (crashed) {
      // The innermost is the last.
      if (const std::string_view entry = activityIn(line); !entry.empty()) activity = entry;
      continue;
    }
    if (line.empty()) continue;
    reason = line;  // warnings come before it
    for (const std::string_view prefix : kReasons) {
      if (line.starts_with(prefix)) reason = line.substr(prefix.size());
    }
  }
  if (!crashed) return std::nullopt;
  if (activity.empty()) return reason;
  return reason.empty() ? std::string(activity) : fmt::format("{} ({})", reason, activity);
}

}  // namespace ordo::frontend
