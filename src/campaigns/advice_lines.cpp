#include "campaigns/advice_lines.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "datasets/dataset.h"
#include "support/files.h"
#include "support/process.h"
#include "support/team.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTogether = 4;            // modules of one process
constexpr double kPatience = 150;               // seconds for each; ordo-advise ends one after 120 by itself
constexpr std::uintmax_t kMostBytes = 150'000;  // of a dataset: larger modules teach the same, slowly

}  // namespace

Result<std::vector<std::string>> modulesToLearnFrom(const std::vector<std::string>& names) {
  std::set<std::string> files;
  std::error_code ignored;
  for (const std::string& name : names) {
    if (fs::is_directory(name, ignored)) {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(name, ignored))
        if (entry.path().extension() == ".bc") files.insert(entry.path().string());
      continue;
    }
    ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(name));
    ORDO_TRY(datasets::checkMayLearnFrom(program, "training an advisor"));
    if (program.kind != datasets::ProgramKind::kBitcode)
      return fail(ErrorCode::kInvalidArgument,
                  "{} is no bitcode; make it with clang-22 -Oz -Xclang "
                  "-disable-llvm-passes -emit-llvm -c",
                  name);
    // A file that was named is wanted whatever its size.
    if (fs::exists(name, ignored) || fs::file_size(program.path(), ignored) <= kMostBytes)
      files.insert(program.path().string());
  }
  return std::vector<std::string>(files.begin(), files.end());
}

Status eachModule(const std::vector<std::string>& words, const std::vector<std::string>& modules,
                  unsigned jobs, const std::function<bool(std::string_view line)>& line) {
  std::vector<std::string> command{(installPrefix() / "bin" / "ordo-advise").string()};
  command.insert(command.end(), words.begin(), words.end());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  Status status;
  Team team(teamSize(jobs, modules.size() / kTogether + 1));
  team.run([&](unsigned) {
    while (!stop) {
      const std::size_t begin = next.fetch_add(kTogether);
      if (begin >= modules.size()) return;
      const std::size_t end = std::min(begin + kTogether, modules.size());
      std::vector<std::string> all = command;
      for (std::size_t i = begin; i < end; ++i) all.push_back(modules[i]);
      const Result<ProcessResult> done =
          runProcess(all, {.input = "", .dir = {}, .timeout_s = kPatience * kTogether, .stop = &stop});
      const std::lock_guard lock(mutex);
      if (!done || (!done->ok() && done->out.empty() && !stop)) {
        if (status)
          status =
              done ? Status(fail(ErrorCode::kUnavailable, "ordo-advise {}: {}", done->ending(), done->err))
                   : Status(fail(done.error()));
        stop = true;
        return;
      }
      std::string_view rest = done->out;
      while (!rest.empty() && !stop) {
        const std::size_t size = std::min(rest.find('\n'), rest.size());
        if (!line(rest.substr(0, size))) stop = true;
        rest.remove_prefix(std::min(size + 1, rest.size()));
      }
    }
  });
  return status;
}

}  // namespace ordo::campaigns
