// How a program behaves, and whether an optimised version behaves the same: it is run as its tests say,
// beside what clang makes of it, by itself and under sanitizers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "datasets/tests.h"
#include "env/session.h"
#include "frontend/clang.h"
#include "support/error.h"

namespace ordo::check {

enum class Verdict { kPassed, kFailed, kSkipped };

// "passed", "failed", "skipped"
std::string_view name(Verdict verdict);

// One question that was asked of a result.
struct Check {
  std::string name;
  Verdict verdict = Verdict::kPassed;
  std::string detail;  // of a failure, or why it was skipped; may be empty if it passed
};

inline Check passed(std::string name, std::string detail = "") {
  return {std::move(name), Verdict::kPassed, std::move(detail)};
}
inline Check failed(std::string name, std::string detail) {
  return {std::move(name), Verdict::kFailed, std::move(detail)};
}
inline Check skipped(std::string name, std::string detail) {
  return {std::move(name), Verdict::kSkipped, std::move(detail)};
}

// What a program does when nothing but clang has touched it.
struct Behaviour {
  datasets::Program program;
  frontend::Source source;
  frontend::Level level = frontend::Level::kOz;
  std::vector<datasets::ProgramRun> runs;  // of clang's own object
  std::string unusable;                    // why there are no runs to compare with, or ""
  // Named source: whether the program itself, under the address and undefined-behaviour sanitizers, does the
  // same without a report. Skipped if it does not: then nothing it does says much.
  Check source_check;
};

// Compiles `program` with the flags of `source` and runs it, twice: what does not do the same is unusable. An
// error is a failure of ours.
Result<Behaviour> observeBehaviour(datasets::Program program, frontend::Source source, frontend::Level level);

// Named output: the program made of `bitcode`, with what `actions` choose of the code generator, does what
// `reference` says. It is tried again, at most `retries` times, because a busy machine can make a run fail.
// Skipped if there is nothing to compare with, or if clang's own, asked again, does not do the same either.
Result<Check> checkOutput(const Behaviour& reference, const std::string& bitcode,
                          const std::vector<env::Action>& actions, int retries);

// Named address: the same, with the address sanitizer put into `bitcode`.
Result<Check> checkAddress(const Behaviour& reference, const std::string& bitcode, int retries);

}  // namespace ordo::check
