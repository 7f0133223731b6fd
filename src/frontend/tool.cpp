#include "frontend/tool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>

#include "frontend/crash_report.h"

namespace ordo::frontend {
namespace {

constexpr std::string_view kSuffix = "-22";

// `clang-22` in PATH, or `clang` where LLVM 22 is installed.
Result<std::string> findTool(const std::string& name) {
  ORDO_CHECK(name.ends_with(kSuffix), "tool without a version: {}", name);
  const std::string plain = name.substr(0, name.size() - kSuffix.size());
  if (auto path = findProgram({name, "/usr/lib/llvm-22/bin/" + plain})) return *path;
  const std::string_view package = plain.starts_with("clang") ? "clang-22" : "llvm-22";
  return fail(ErrorCode::kNotFound, "{} is not installed; install it with: apt-get install {}", name,
              package);
}

// A tool that the disk had no room for says nothing of what it was given.
bool lacksRoom(std::string_view complaint) {
  return std::ranges::any_of(std::initializer_list<int>{ENOSPC, EDQUOT, EFBIG}, [&](int error) {
    return complaint.find(std::strerror(error)) != std::string_view::npos;
  });
}

// Of a program that did something that no program may. Others are sent to it from outside.
bool isCrash(int signal) {
  const auto crashes = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  return std::ranges::find(crashes, signal) != crashes.end();
}

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string asWord(const std::filesystem::path& path) {
  const std::string text = path.string();
  return text.starts_with('-') || text.starts_with('@') ? "./" + text : text;
}

Result<ProcessResult> tryTool(ToolRun run) {
  const std::string name = run.argv[0];
  ORDO_TRY_ASSIGN(run.argv[0], findTool(name));
  // When it crashes, clang would leave a copy of the program in the temporary folder.
  if (name.starts_with("clang")) run.argv.insert(run.argv.begin() + 1, "-fno-crash-diagnostics");
  ProcessOptions options;
  options.input = std::move(run.input);
  options.repeatable = true;
  if (!run.dir.empty()) options.dir = run.dir;
  constexpr int kTries = 3;
  ORDO_TRY_ASSIGN(ProcessResult result, runProcess(run.argv, options));
  // What clang says of its linker, say, if somebody else ended that.
  for (int tries = 1; !result.ok() && result.err.find("due to signal") != std::string::npos && tries < kTries;
       ++tries) {
    ORDO_TRY_ASSIGN(result, runProcess(run.argv, options));
  }
  if (result.ok()) return result;
  if (result.timed_out) {
    return fail(ErrorCode::kDeadlineExceeded, "{} on {} {}; try a smaller input", name, run.subject,
                result.ending());
  }
  if (lacksRoom(result.err)) {
    return fail(ErrorCode::kUnavailable, "{} on {} {}:\n{}", name, run.subject, result.ending(),
                trimmed(result.err));
  }
  if (const std::optional<std::string> reason = crashIn(result.err); reason || isCrash(result.signal)) {
    return fail(ErrorCode::kUnsupported, "stock {} crashes on {}: {}", name, run.subject,
                reason && !reason->empty() ? *reason : result.ending());
  }
  if (result.signal != 0) {
    return fail(ErrorCode::kUnavailable, "{} on {} {}:\n{}", name, run.subject, result.ending(),
                trimmed(result.err));
  }
  return result;
}

Result<ProcessResult> runTool(ToolRun run) {
  const std::string name = run.argv[0], subject = run.subject;
  ORDO_TRY_ASSIGN(ProcessResult result, tryTool(std::move(run)));
  if (result.ok()) return result;
  const std::string said = trimmed(result.err);
  return fail(ErrorCode::kInvalidArgument, "{} rejected {}{}", name, subject,
              said.empty() ? fmt::format(" and did not say why: it {}", result.ending()) : ":\n" + said);
}

}  // namespace ordo::frontend
