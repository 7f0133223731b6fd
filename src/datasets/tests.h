// Runs the tests that come with a program, to show that an executable still behaves as it should. It is run
// as timed programs are (sandbox/own_folder.h): confined, in a folder of its own that offers what is in the
// program's to read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "sandbox/confined.h"
#include "support/error.h"

namespace ordo::datasets {

struct TestResult {
  std::string name;
  bool passed = false;
  std::string failure;  // "line 3: expected 'a', got 'b'", "was killed by signal 11 (...)"
  double seconds = 0;
};

struct TestReport {
  std::vector<TestResult> results;

  // True for a program without tests, so look at results.size() too.
  bool passed() const;
  // "4 tests passed", or "1 of 4 tests failed: hmac: line 1: expected 'a', got 'b'".
  std::string summary() const;
};

// Runs every test of `program`, one after the other: a test passes if the exit status
// and every byte of standard output are as expected. A program that fails, crashes or hangs is in
// the report; an error means that a test could not be tried. Thread-safe.
Result<TestReport> runTests(const Program& program, const std::filesystem::path& executable);

struct RunOptions {
  std::vector<std::string> environment = {};  // "NAME=value" each, besides what every program has
  double timeout_factor = 1;                  // for programs that were made slower
  std::size_t memory_bytes = sandbox::ConfinedProgram{}.memory_bytes;
};

// How runProgram() runs `program`: as each of its tests does, or once without arguments and input if it has
// none but is runnable, which then expects nothing of its output; nothing for others.
std::vector<ProgramTest> runsOf(const Program& program);

// kUnsupported, with what to do, if there are none. `what` needs them: "the observation cycles".
Status checkRuns(const Program& program, std::string_view what);

// One of these, by the program's runner, ready for sandbox::runInOwnFolder(), which is to offer it
// `program.dir`.
sandbox::ConfinedProgram confinedRun(const Program& program, const ProgramTest& test,
                                     const std::filesystem::path& executable, const RunOptions& options = {});

struct ProgramRun {
  std::string name;  // the test's, or "run"
  sandbox::ConfinedRun result;
};

// Runs `program` in each of the ways of runsOf(). Says nothing about what is right. Thread-safe.
Result<std::vector<ProgramRun>> runProgram(const Program& program, const std::filesystem::path& executable,
                                           const RunOptions& options = {});

// Where `got` first departs from `expected`, in one line; "" if they are equal.
std::string firstDifference(std::string_view expected, std::string_view got);

}  // namespace ordo::datasets
