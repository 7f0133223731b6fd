// ordo doctor: what is installed, what is missing, what to do.
#include <sys/sysinfo.h>
#include <unistd.h>

#include <memory>
#include <system_error>
#include <thread>

#include "cli/command.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "frontend/clang.h"
#include "frontend/opt.h"
#include "spaces/manifest.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/process.h"

namespace ordo::cli {
namespace {

struct Check {
  std::string name;
  bool ok = false;
  std::string found;   // what is there
  std::string remedy;  // what to do if not ok
};

Check checkTool(const std::string& tool, const std::string& package) {
  Check check{tool, false, "missing", "apt-get install " + package};
  const std::optional<std::string> path = findProgram({tool});
  if (!path) return check;
  const Result<ProcessResult> result =
      runProcess({*path, "--version"}, {.input = {}, .dir = {}, .timeout_s = 20});
  check.ok = result && result->ok();
  if (!check.ok) {
    check.found = *path + " does not run";
    return check;
  }
  // The first line with a digit in it is the one with the version.
  std::string_view text = result->out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find_first_of("0123456789") != std::string_view::npos) {
      const std::size_t begin = line.find_first_not_of(' ');
      check.found = fmt::format("{} ({})", *path, line.substr(begin));
      break;
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return check;
}

void checkEngine(std::vector<Check>& checks) {
  Check worker{"workers", false, "", "build or install Ordo again: ordo-worker belongs beside ordo"};
  const Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::start();
  worker.ok = engine.has_value();
  if (!worker.ok) {
    worker.found = engine.error().message;
    checks.push_back(worker);
    return;
  }
  const env::BackendInfo& info = (*engine)->info();
  worker.found = fmt::format("{} {} for {}", info.name, info.version, info.target);
  checks.push_back(worker);

  const Result<spaces::Manifest> manifest = spaces::loadManifest(dataDir(), info);
  checks.push_back({"action manifest", manifest.has_value(),
                    manifest ? fmt::format("{} actions, probed on {} {}", manifest->rows.size(),
                                           manifest->backend, manifest->version)
                             : manifest.error().message,
                    "ordo actions discover"});
  const std::string problem = (*engine)->ledgerProblem();
  checks.push_back({"crash ledger", problem.empty(),
                    problem.empty() ? fmt::format("{} ({} pairs)", (cacheDir() / "crashes.sqlite").string(),
                                                  (*engine)->backend().ledger().records().size())
                                    : problem,
                    "set ORDO_CACHE to a folder you may write to"});
}

// The whole chain on the smallest program: headers, code generation and the linker are there.
Check checkCompile(const std::string& language, const std::string& text, const std::string& package) {
  Check check{language == "c" ? "C programs" : "C++ programs", false, "", "apt-get install " + package};
  const auto compile = [&]() -> Status {
    ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
    const std::filesystem::path file = dir.path() / (language == "c" ? "hello.c" : "hello.cpp");
    ORDO_TRY(writeFile(file, text));
    const frontend::Source source{file, language, {}, dir.path()};
    ORDO_TRY_ASSIGN(const frontend::Compiled compiled, frontend::compileStock(source, frontend::Level::kOz));
    return frontend::linkExecutable(compiled.bytes, source, {}, dir.path() / "program");
  };
  const Status status = compile();
  check.ok = status.has_value();
  check.found = status ? "compile and link" : status.error().message.substr(0, 200);
  return check;
}

std::vector<Check> checkAll() {
  std::vector<Check> checks;
  for (const auto& [tool, package] :
       std::initializer_list<std::pair<const char*, const char*>>{{"clang-22", "clang-22"},
                                                                  {"opt-22", "llvm-22"},
                                                                  {"llvm-as-22", "llvm-22"},
                                                                  {"llvm-size-22", "llvm-22"}}) {
    checks.push_back(checkTool(tool, package));
  }
  checks.push_back(
      checkCompile("c", "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n", "libc6-dev"));
  checks.push_back(
      checkCompile("c++", "#include <string>\nint main() { return std::string().size(); }\n", "g++"));
  checkEngine(checks);
  struct sysinfo memory{};
  ::sysinfo(&memory);
  const double gib = static_cast<double>(memory.totalram) * memory.mem_unit / (1u << 30);
  checks.push_back({"machine", gib > 2,
                    fmt::format("{} cores, {:.1f} GiB", std::thread::hardware_concurrency(), gib),
                    "each worker may need up to 1 GiB: use --jobs 1"});
  return checks;
}

}  // namespace

extern const CommandInfo doctor{
    .name = "doctor",
    .summary = "what is installed, what is missing, what to do",
    .examples = "",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto json = std::make_shared<bool>(false);
      app.add_flag("--json", *json, "print as JSON");
      return [json](const std::vector<std::string>&) {
        bool all = true;
        Json list = Json::array();
        for (const Check& check : checkAll()) {
          all = all && check.ok;
          if (*json) {
            list.push_back({{"name", check.name}, {"ok", check.ok}, {"found", check.found}});
            if (!check.ok) list.back()["remedy"] = check.remedy;
            continue;
          }
          fmt::print("{}  {:16} {}\n", check.ok ? "ok " : "NO ", check.name, check.found);
          if (!check.ok) fmt::print("     {:16} -> {}\n", "", check.remedy);
        }
        if (*json) fmt::print("{}\n", writeJson(list, 2));
        return all ? kOk : exitCode(ErrorCode::kUnavailable);
      };
    }};

}  // namespace ordo::cli
