// ordo-differ: compares the functions of two versions of a module, and prints what it found as JSON. Started
// by ordo; by hand it takes the same files. Exit codes are those of `ordo`, and 0 also where a function is
// wrong.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>

#include "differ/report.h"
#include "llvm/execution/differ.h"
#include "support/files.h"
#include "support/streams.h"

namespace {

using ordo::Error;
using ordo::ErrorCode;
using ordo::Result;
using ordo::differ::FunctionReport;
using ordo::differ::Report;
using ordo::differ::Request;
using ordo::execution::Progress;

// Compares in a child, because compiled code may take its process down in ways that no handler survives.
// Nothing: the child died, and `progress` says where. `disturbed` says that somebody else may have ended it.
Result<std::optional<Report>> compareInChild(const Request& request, Progress& progress, bool& disturbed) {
  ORDO_TRY_ASSIGN(const ordo::TempDir dir, ordo::TempDir::create());
  const std::filesystem::path out = dir.path() / "report";
  progress = {};
  const pid_t child = ::fork();
  if (child < 0) return ordo::fail(ErrorCode::kUnavailable, "no process can be started");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    const Result<Report> report = ordo::execution::compareModules(request, progress);
    const ordo::Json json = report ? ordo::differ::toJson(*report)
                                   : ordo::Json{{"error", report.error().message},
                                                {"code", static_cast<int>(report.error().code)}};
    std::_Exit(ordo::writeFile(out, ordo::writeJson(json)) ? 0 : 1);
  }
  int status = 0;
  while (::waitpid(child, &status, WUNTRACED) < 0 ? errno == EINTR : WIFSTOPPED(status)) {
    // Nobody stops it with good reason: it is in no terminal's foreground.
    if (WIFSTOPPED(status)) ::kill(child, SIGKILL);
    status = 0;
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  disturbed = signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  ORDO_TRY_ASSIGN(const std::string text, ordo::readFile(out));
  ORDO_TRY_ASSIGN(const ordo::Json json, ordo::parseJson(text, "report"));
  if (json.contains("error"))
    return ordo::fail(
        Error{static_cast<ErrorCode>(json["code"].get<int>()), json["error"].get<std::string>()});
  return ordo::differ::parseReport(json);
}

Result<Report> compareWhatLives(Request request) {
  void* shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return ordo::fail(ErrorCode::kUnavailable, "no shared memory");
  auto& progress = *new (shared) Progress;
  std::vector<FunctionReport> deadly;
  for (int disturbances = 0;;) {
    bool disturbed = false;
    ORDO_TRY_ASSIGN(std::optional<Report> report, compareInChild(request, progress, disturbed));
    // Of that no function is to blame, unless it happens time and again: then it eats the machine's memory.
    if (!report && disturbed && ++disturbances < 3) continue;
    disturbances = 0;
    if (report) {
      report->functions.insert(report->functions.end(), deadly.begin(), deadly.end());
      return *std::move(report);
    }
    const std::string name = progress.function.data();
    if (name.empty())
      return ordo::fail(ErrorCode::kUnsupported, "the modules cannot be compiled: the compiler dies of them");
    // The next child goes without it. The watched original is held to its own memory, so that a death of the
    // optimised version is its own doing.
    FunctionReport report_of;
    report_of.name = name;
    report_of.detail = "takes its process down";
    if (progress.optimized) {
      report_of.verdict = FunctionReport::Verdict::kWrong;
      report_of.input_number = progress.input;
      report_of.compared = 1;
    }
    deadly.push_back(std::move(report_of));
    request.without.push_back(name);
  }
}

int refuse(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return error.code == ErrorCode::kCorrupt ? 65 : error.code == ErrorCode::kUnsupported ? 78 : 70;
}

}  // namespace

int main(int argc, char** argv) {
  ordo::prepareStreams();
  CLI::App app("compares the functions of two versions of a module");
  Request request;
  std::string original, optimized;
  app.add_option("ORIGINAL", original)->required();
  app.add_option("OPTIMIZED", optimized)->required();
  app.add_option("--seconds", request.seconds);
  app.add_option("--seed", request.seed);
  app.add_option("--inputs", request.inputs);
  app.add_option("--function", request.function);
  bool fail_if_wrong = false;
  app.add_flag("--fail-if-wrong", fail_if_wrong);
  CLI11_PARSE(app, argc, argv);
  for (const auto& [path, text] :
       {std::pair{&original, &request.original}, {&optimized, &request.optimized}}) {
    Result<std::string> read = ordo::readFile(*path);
    if (!read) return refuse(read.error());
    *text = *std::move(read);
  }
  const Result<Report> report = compareWhatLives(std::move(request));
  if (!report) return refuse(report.error());
  fmt::print("{}\n", ordo::writeJson(ordo::differ::toJson(*report), 2));
  return fail_if_wrong && report->wrong() != nullptr ? 1 : 0;
}
