#include "app/behaviour.h"

#include "app/stock.h"
#include "frontend/sanitize.h"
#include "support/files.h"

namespace ordo::app {
namespace {

// Leaks are no fault of a pass, and the sanitized programs are about that much slower.
const datasets::RunOptions kWatched{{"env", "ASAN_OPTIONS=detect_leaks=0"}, 10};

// The line in which a sanitizer says what it saw, or "".
std::string sanitizerLine(std::string_view err) {
  for (const std::string_view mark : {"ERROR: AddressSanitizer: ", "runtime error: "}) {
    const std::size_t at = err.find(mark);
    if (at == std::string_view::npos) continue;
    const std::size_t from = mark.starts_with("ERROR: ") ? at + std::string_view("ERROR: ").size() : at;
    return std::string(err.substr(from, std::min(err.find('\n', from) - from, std::size_t{160})));
  }
  return "";
}

// How `runs` differ from `expected`, in one line; "" if they do not.
std::string difference(const std::vector<datasets::ProgramRun>& expected,
                       const std::vector<datasets::ProgramRun>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ProcessResult &want = expected[i].result, &got = runs[i].result;
    if (const std::string seen = sanitizerLine(got.err); !seen.empty())
      return fmt::format("{}: {}", runs[i].name, seen);
    if (got.ending() != want.ending())
      return fmt::format("{}: {}, clang's {}", runs[i].name, got.ending(), want.ending());
    if (const std::string line = datasets::firstDifference(want.out, got.out); !line.empty())
      return fmt::format("{}: {}", runs[i].name, line);
  }
  return "";
}

std::string attempts(int tries) { return tries == 1 ? "" : fmt::format("only at attempt {}", tries); }

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kSkipped:
      return "skipped";
  }
  return "unknown";
}

Result<Behaviour> observeBehaviour(datasets::Program program, frontend::Source source,
                                   frontend::Level level) {
  Behaviour made{std::move(program), std::move(source), level, {}, "", {}};
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  const std::filesystem::path plain = temp.path() / "plain", watched = temp.path() / "watched";
  made.source_check = skipped("source", "");
  if (made.program.tests.empty() && !made.program.runnable) {
    made.unusable = "how to run it is not known: it has no tests";
  } else {
    ORDO_TRY_ASSIGN(const frontend::Compiled object, frontend::compileStock(made.source, made.level));
    ORDO_TRY(frontend::linkExecutable(object.bytes, made.source, made.program.ldflags, plain));
    ORDO_TRY_ASSIGN(made.runs, datasets::runProgram(made.program, plain));
    for (const datasets::ProgramRun& run : made.runs) {
      if (!run.result.timed_out) continue;
      made.unusable = fmt::format("as clang makes it, {} {}", run.name, run.result.ending());
    }
  }
  if (!made.unusable.empty()) {
    made.source_check.detail = made.unusable;
  } else if (const Status built = frontend::linkSanitizedSource(made.source, made.program.ldflags, watched);
             !built) {
    made.source_check.detail = built.error().message;
  } else {
    ORDO_TRY_ASSIGN(const auto runs, datasets::runProgram(made.program, watched, kWatched));
    const std::string seen = difference(made.runs, runs);
    made.source_check = seen.empty() ? passed("source") : skipped("source", "the program itself: " + seen);
  }
  return made;
}

Result<Check> checkOutput(const Behaviour& reference, const std::string& bitcode,
                          const std::vector<env::Action>& actions, int retries) {
  const char* const kName = "output";
  if (!reference.unusable.empty()) return skipped(kName, reference.unusable);
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  const std::filesystem::path executable = temp.path() / "tuned";
  const Result<std::string> object =
      frontend::emitObject(bitcode, reference.level, emissionSource(reference.source, actions));
  if (!object) return failed(kName, object.error().message);
  const Status linked =
      frontend::linkExecutable(*object, reference.source, reference.program.ldflags, executable);
  if (!linked) return failed(kName, linked.error().message);
  std::string differs;
  for (int tries = 1; tries <= 1 + retries; ++tries) {
    ORDO_TRY_ASSIGN(const auto runs, datasets::runProgram(reference.program, executable));
    differs = difference(reference.runs, runs);
    if (differs.empty()) return passed(kName, attempts(tries));
  }
  if (reference.source_check.detail.starts_with("the program itself"))
    differs += fmt::format(" (but {})", reference.source_check.detail);
  return failed(kName, differs);
}

Result<Check> checkAddress(const Behaviour& reference, const std::string& bitcode, int retries) {
  const char* const kName = "address";
  if (!reference.unusable.empty()) return skipped(kName, reference.unusable);
  if (reference.source_check.detail.starts_with("the program itself"))
    return skipped(kName, reference.source_check.detail);
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  const std::filesystem::path executable = temp.path() / "watched";
  const Status linked = frontend::linkAddressSanitized(bitcode, reference.level, reference.source,
                                                       reference.program.ldflags, executable);
  if (!linked) return skipped(kName, linked.error().message);
  std::string differs;
  for (int tries = 1; tries <= 1 + retries; ++tries) {
    ORDO_TRY_ASSIGN(const auto runs, datasets::runProgram(reference.program, executable, kWatched));
    differs = difference(reference.runs, runs);
    if (differs.empty()) return passed(kName, attempts(tries));
  }
  return failed(kName, differs);
}

}  // namespace ordo::app
