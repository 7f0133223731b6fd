// ordo build: runs a build with Ordo's compilers in the place of the user's, and says what came of it.
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "builds/log.h"
#include "builds/settings.h"
#include "builds/variables.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "support/child.h"
#include "support/exit_code.h"
#include "support/text.h"

extern char** environ;

namespace ordo::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  bool locked = false;
  std::string lock = "ordo.lock";
  std::string budget, objective, limit;
  bool linked = false;
  bool quiet = false;
};

Status checkOptions(const Options& options, const std::vector<std::string>& command) {
  if (command.empty())
    return fail(ErrorCode::kInvalidArgument,
                "say what builds the project after '--': ordo build -- make -j2");
  if (options.locked && !fs::exists(options.lock)) {
    return fail(ErrorCode::kNotFound, "there is no {}; 'ordo build -- {}' and then 'ordo lock {}' make it",
                options.lock, command[0], options.lock);
  }
  return {};
}

// For the build and all that it runs.
void setVariables(const Options& options) {
  const char* const path = std::getenv("PATH");
  builds::Variables variables = builds::compilerVariables(path == nullptr ? "" : path);
  if (options.linked) variables.merge(builds::linkedVariables());
  if (options.locked) variables["ORDO_LOCK"] = fs::absolute(options.lock);
  if (!options.budget.empty()) variables["ORDO_BUDGET"] = options.budget;
  if (!options.objective.empty()) variables["ORDO_OBJECTIVE"] = options.objective;
  if (!options.limit.empty()) variables["ORDO_LIMIT"] = options.limit;
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
}

// The build that runs, for the handler below.
volatile pid_t g_build = -1;

// Ctrl-C reaches the build by itself. What was sent to us alone, it hears from us; twice does no harm.
void passOn(int signal) {
  if (signal != SIGINT && g_build > 0) ::kill(g_build, signal);
}

// Its status as a shell would say it. A signal is the build's to end on.
Result<int> runBuild(const std::vector<std::string>& command) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Handlers, which exec forgets; what is ignored, as under nohup, stays so for the build too.
    if (std::signal(signal, passOn) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  ORDO_TRY_ASSIGN(const int pid, startBeside(command));
  g_build = pid;
  const int status = awaitEnd(pid).value_or(0);
  g_build = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What the log says beyond its first `known` lines.
void summarise(const builds::Settings& settings, std::size_t known) {
  Result<std::vector<builds::LogLine>> lines = builds::readLog(settings.log);
  if (!lines || lines->size() <= known) {
    fmt::print(
        stderr,
        "ordo: no compilation came by ordo-cc: all was up to date, or the build has a compiler of its own "
        "(try: make CC=ordo-cc CXX=ordo-c++)\n");
    return;
  }
  lines->erase(lines->begin(), lines->begin() + static_cast<std::ptrdiff_t>(known));
  const builds::Totals totals = builds::totalsOf(*lines);
  fmt::print(stderr, "ordo: {} compilations: {} tuned, {} from the cache, {} locked, {} plain, {} in trouble",
             totals.compilations, totals.tuned, totals.cached, totals.locked, totals.plain, totals.fallback);
  if (totals.baseline > 0) {
    fmt::print(stderr, "; {} instead of {} ({})", grouped(totals.result), grouped(totals.baseline),
               change(totals.baseline, totals.result));
    for (const std::string& limit : settings.limits) fmt::print(stderr, ", {}", limit);
  }
  fmt::print(stderr, "\n");
}

int run(const Options& options, const std::vector<std::string>& command) {
  if (const Status checked = checkOptions(options, command); !checked) return report(checked.error());
  setVariables(options);
  const Result<builds::Settings> settings = builds::settingsFromEnvironment();
  if (!settings) return report(settings.error());
  const Result<std::vector<builds::LogLine>> before = builds::readLog(settings->log);
  const Result<int> status = runBuild(command);
  if (!status) return report(status.error());
  if (!options.quiet) summarise(*settings, before ? before->size() : 0);
  return *status;
}

}  // namespace

extern const CommandInfo build{
    .name = "build",
    .summary = "run a build with ordo-cc and ordo-c++ for CC and CXX, and say what came of it",
    .examples =
        "  ordo build -- make -j2\n"
        "  ordo build --budget 5s -- make -j2 && ordo lock\n"
        "  ordo build --locked -- make -j2              fails where a file is not as it was locked\n"
        "  ordo build -- sh -c './configure && make'\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_flag("--locked", options->locked, "exactly the recipes of the lock file: no search, no cache");
      app.add_option("--lock", options->lock, "that file")->capture_default_str();
      app.add_option("--budget", options->budget, "of a search for each file; 0: its first answer [200ms]");
      app.add_option("--objective", options->objective, "a metric, for every level but -O0");
      app.add_option("--limit", options->limit,
                     "what code alone may be, code_bytes=+2% of clang's or code_bytes=any [code_bytes=+0%]");
      app.add_flag("--linked", options->linked, "tune each program and library as one module, with -flto");
      app.add_flag("-q,--quiet", options->quiet, "no summary");
      return [options](const std::vector<std::string>& command) { return run(*options, command); };
    }};

}  // namespace ordo::cli
