#include "frontend/tool.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

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

}  // namespace

Result<ProcessResult> runTool(ToolRun run) {
  const std::string name = run.argv[0];
  ORDO_TRY_ASSIGN(run.argv[0], findTool(name));
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
  while (result.err.ends_with('\n')) result.err.pop_back();
  if (result.timed_out) {
    return fail(ErrorCode::kDeadlineExceeded, "{} on {} {}; try a smaller input", name, run.subject,
                result.ending());
  }
  if (result.signal != 0 || lacksRoom(result.err)) {
    return fail(ErrorCode::kUnavailable, "{} on {} {}:\n{}", name, run.subject, result.ending(), result.err);
  }
  return fail(ErrorCode::kInvalidArgument, "{} rejected {}:\n{}", name, run.subject, result.err);
}

}  // namespace ordo::frontend
