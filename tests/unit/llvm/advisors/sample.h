// A module with every kind of call, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "llvm/advisors/trial.h"
#include "support/process.h"

namespace ordo::advisors {

// small() is inlined at -Oz, large() is not; recursive() and another target's cannot be.
inline constexpr std::string_view kCalls = R"(
int printf(const char*, ...);
static int small(int x) { return x * 3; }
int large(int x) { return x > 2 ? printf("%d %d", x, x + 1) + printf("%d", x - 1) : printf("%d %d %d", x, x, x); }
int recursive(int x) { return x < 2 ? 1 : x * recursive(x - 1); }
__attribute__((target("avx2"))) static int other(int x) { return x + printf("other"); }
int f(int x) { return small(x) + large(x) + large(x + 1) + recursive(x) + other(x); })";

// What clang-22 writes with these arguments for kCalls.
inline std::string clang(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"clang-22", "-x", "c", "-", "-o", "-", "-c", "-Oz"});
  const auto result = runProcess(arguments, {.input = std::string(kCalls), .dir = {}});
  EXPECT_TRUE(result && result->ok());
  return result->out;
}

inline std::string sample() { return clang({"-Xclang", "-disable-llvm-passes", "-emit-llvm"}); }

inline Outcome outcomeOf(const std::string& bitcode, env::Advisor& advisor) {
  const Result<Trial> trial = Trial::open(bitcode, "sample");
  EXPECT_TRUE(trial) << trial.error().message;
  Result<Outcome> outcome = trial->run(advisor);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return *std::move(outcome);
}

}  // namespace ordo::advisors
