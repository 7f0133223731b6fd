// tryAll() decides for both checks. If no attempt does the same as the reference, it links clang's own
// program once more and runs that several times: a program that does not repeat itself is skipped, not called
// wrong. difference() looks for a sanitizer's report first, then at how a run ended, then at its output. A
// source that fails under the sanitizers is known by the words with which source_check.detail begins:
// checkAddress() then does not ask, and checkOutput() says so beside a failure.
#include "check/behaviour.h"

#include "engine/stock.h"
#include "frontend/sanitize.h"
#include "support/files.h"

namespace ordo::check {
namespace {

// Leaks are no fault of a pass, and the sanitized programs are about that much slower. They need more
// addresses than any limit allows, so that the sanitizer itself watches how much memory is used.
const datasets::RunOptions kWatched{.environment = {"ASAN_OPTIONS=detect_leaks=0:hard_rss_limit_mb=4096"},
                                    .timeout_factor = 10,
                                    .memory_bytes = sandbox::kUnlimited};

constexpr const char* kNotEmulated = "sanitizers are for programs that this machine runs itself";

constexpr int kSuspicions = 8;  // runs of clang's own before another is called wrong

std::string unsteady(const std::string& difference) {
  return "as clang makes it, the program does not do the same each time: " + difference;
}

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
    const sandbox::ConfinedRun &want = expected[i].result, &got = runs[i].result;
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

Status linkPlain(const Behaviour& made, const std::filesystem::path& executable) {
  ORDO_TRY_ASSIGN(const frontend::Compiled object, frontend::compileStock(made.source, made.level));
  return frontend::linkExecutable(object.bytes, made.source, made.program.ldflags, executable);
}

// Runs `executable` until it does what `reference` says, `tries` times at most. What the last run did
// otherwise, in the result of a check.
Result<Check> tryAll(std::string_view name, const Behaviour& reference,
                     const std::filesystem::path& executable, const datasets::RunOptions& how, int tries) {
  std::string differs;
  for (int i = 1; i <= tries; ++i) {
    ORDO_TRY_ASSIGN(const auto runs, datasets::runProgram(reference.program, executable, how));
    differs = difference(reference.runs, runs);
    if (differs.empty()) return passed(std::string(name), attempts(i));
  }
  // A program that goes its own way now and then may have done so just here.
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  const std::filesystem::path plain = temp.path() / "plain";
  ORDO_TRY(linkPlain(reference, plain));
  for (int i = 0; i < kSuspicions; ++i) {
    ORDO_TRY_ASSIGN(const auto runs, datasets::runProgram(reference.program, plain));
    const std::string also = difference(reference.runs, runs);
    if (!also.empty()) return skipped(std::string(name), unsteady(also));
  }
  return failed(std::string(name), differs);
}

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
  } else if (!made.program.runner.missing.empty()) {
    made.unusable = made.program.runner.missing;
  } else {
    ORDO_TRY(linkPlain(made, plain));
    ORDO_TRY_ASSIGN(made.runs, datasets::runProgram(made.program, plain));
    for (const datasets::ProgramRun& run : made.runs) {
      if (!run.result.timed_out) continue;
      made.unusable = fmt::format("as clang makes it, {} {}", run.name, run.result.ending());
    }
    if (made.unusable.empty()) {
      ORDO_TRY_ASSIGN(const auto again, datasets::runProgram(made.program, plain));
      if (const std::string differs = difference(made.runs, again); !differs.empty())
        made.unusable = unsteady(differs);
    }
  }
  if (!made.unusable.empty()) {
    made.source_check.detail = made.unusable;
  } else if (made.program.runner.emulates()) {
    made.source_check.detail = kNotEmulated;
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
      frontend::emitObject(bitcode, reference.level, engine::emissionSource(reference.source, actions));
  if (!object && object.error().code == ErrorCode::kUnavailable) return fail(object.error());
  if (!object) return failed(kName, object.error().message);
  const Status linked =
      frontend::linkExecutable(*object, reference.source, reference.program.ldflags, executable);
  if (!linked && linked.error().code == ErrorCode::kUnavailable) return fail(linked.error());
  if (!linked) return failed(kName, linked.error().message);
  ORDO_TRY_ASSIGN(Check check, tryAll(kName, reference, executable, {}, 1 + retries));
  if (check.verdict == Verdict::kFailed && reference.source_check.detail.starts_with("the program itself"))
    check.detail += fmt::format(" (but {})", reference.source_check.detail);
  return check;
}

Result<Check> checkAddress(const Behaviour& reference, const std::string& bitcode, int retries) {
  const char* const kName = "address";
  if (!reference.unusable.empty()) return skipped(kName, reference.unusable);
  if (reference.program.runner.emulates()) return skipped(kName, kNotEmulated);
  if (reference.source_check.detail.starts_with("the program itself"))
    return skipped(kName, reference.source_check.detail);
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  const std::filesystem::path executable = temp.path() / "watched";
  const Status linked = frontend::linkAddressSanitized(bitcode, reference.level, reference.source,
                                                       reference.program.ldflags, executable);
  if (!linked) return skipped(kName, linked.error().message);
  return tryAll(kName, reference, executable, kWatched, 1 + retries);
}

}  // namespace ordo::check
