#include "datasets/tests.h"

#include <algorithm>

#include "sandbox/own_folder.h"
#include "support/files.h"

namespace ordo::datasets {
namespace {

// An emulator is slower than a processor, and puts what the program sees into addresses of its own. A machine
// that boots has the time that its test says, as its author measured it.
constexpr double kSlower = 10;
constexpr std::size_t kAddresses = std::size_t{16} << 30;

// The line that starts at `begin`, for a message: unprintable bytes as \xNN, and only the part of a
// long line that is around `at`.
std::string describeLine(std::string_view text, std::size_t begin, std::size_t at) {
  constexpr std::size_t kBefore = 30, kMost = 60;
  if (begin >= text.size()) return "the end of output";
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const std::size_t from = at > begin + kBefore ? at - kBefore : begin;
  std::string shown = from > begin ? "..." : "";
  for (unsigned char c : text.substr(from, std::min(end - from, kMost))) {
    shown += c >= 0x20 && c < 0x7f ? std::string(1, static_cast<char>(c)) : fmt::format("\\x{:02x}", c);
  }
  if (end - from > kMost) shown += "...";
  return fmt::format("'{}'{}", shown, end == text.size() ? " without a newline" : "");
}

Result<sandbox::ConfinedRun> run(const Program& program, const ProgramTest& test,
                                 const std::filesystem::path& executable, const RunOptions& how) {
  return sandbox::runInOwnFolder(confinedRun(program, test, executable, how), program.dir);
}

Result<TestResult> runTest(const Program& program, const ProgramTest& test,
                           const std::filesystem::path& executable) {
  ORDO_TRY_ASSIGN(const std::string expected, readFile(program.dir / test.expected));
  ORDO_TRY_ASSIGN(const sandbox::ConfinedRun run, datasets::run(program, test, executable, {}));

  TestResult result{test.name, false, "", run.wall_s};
  if (run.exit_code != test.exit) {
    result.failure = fmt::format("{}, expected status {}", run.ending(), test.exit);
  } else {
    result.failure = firstDifference(expected, run.out);
  }
  result.passed = result.failure.empty();
  return result;
}

}  // namespace

std::vector<ProgramTest> runsOf(const Program& program) {
  std::vector<ProgramTest> tests = program.tests;
  if (tests.empty() && program.runnable) {
    tests.emplace_back();
    tests.back().name = "run";
  }
  return tests;
}

Status checkRuns(const Program& program, std::string_view what) {
  if (!runsOf(program).empty()) return {};
  return fail(
      ErrorCode::kUnsupported,
      "{}: {} needs a program that can be run, and nothing says how this one is; give it a program.toml "
      "with tests (docs/formats/program.md), or choose one that has them, as those of suite/",
      program.uri, what);
}

sandbox::ConfinedProgram confinedRun(const Program& program, const ProgramTest& test,
                                     const std::filesystem::path& executable, const RunOptions& options) {
  const bool slower = program.runner.emulates() && program.machine.empty();
  sandbox::ConfinedProgram confined{
      .executable = executable,
      .argv = {"program"},
      .memory_bytes = options.memory_bytes,
      .wall_s = test.timeout_s * options.timeout_factor * (slower ? kSlower : 1),
      .keep_errors = true};
  if (test.input) confined.input = std::filesystem::absolute(program.dir / *test.input);
  if (program.runner.emulates()) {
    confined.argv = program.runner.words;
    confined.executable = confined.argv.front();
    confined.argv.push_back(executable.string());
    if (confined.memory_bytes != sandbox::kUnlimited) confined.memory_bytes += kAddresses;
  }
  confined.argv.insert(confined.argv.end(), test.args.begin(), test.args.end());
  confined.environment.insert(confined.environment.end(), options.environment.begin(),
                              options.environment.end());
  return confined;
}

bool TestReport::passed() const {
  return std::all_of(results.begin(), results.end(), [](const TestResult& result) { return result.passed; });
}

std::string TestReport::summary() const {
  std::string failures;
  std::size_t count = 0;
  for (const TestResult& result : results) {
    if (result.passed) continue;
    failures += fmt::format("{} {}: {}", count++ == 0 ? ":" : ";", result.name, result.failure);
  }
  if (count == 0) return fmt::format("{} test{} passed", results.size(), results.size() == 1 ? "" : "s");
  return fmt::format("{} of {} tests failed{}", count, results.size(), failures);
}

Result<TestReport> runTests(const Program& program, const std::filesystem::path& executable) {
  TestReport report;
  const std::filesystem::path absolute = std::filesystem::absolute(executable);
  for (const ProgramTest& test : program.tests) {
    ORDO_TRY_ASSIGN(TestResult result, runTest(program, test, absolute));
    report.results.push_back(std::move(result));
  }
  return report;
}

Result<std::vector<ProgramRun>> runProgram(const Program& program, const std::filesystem::path& executable,
                                           const RunOptions& options) {
  std::vector<ProgramRun> runs;
  const std::filesystem::path absolute = std::filesystem::absolute(executable);
  for (const ProgramTest& test : runsOf(program)) {
    ORDO_TRY_ASSIGN(sandbox::ConfinedRun result, run(program, test, absolute, options));
    runs.push_back({test.name, std::move(result)});
  }
  return runs;
}

std::string firstDifference(std::string_view expected, std::string_view got) {
  if (expected == got) return "";
  const auto differ = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  const auto offset = static_cast<std::size_t>(differ.first - expected.begin());
  const std::string_view same = expected.substr(0, offset);
  const auto line = std::count(same.begin(), same.end(), '\n') + 1;
  const std::size_t newline = same.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return fmt::format("line {}: expected {}, got {}", line, describeLine(expected, begin, offset),
                     describeLine(got, begin, offset));
}

}  // namespace ordo::datasets
