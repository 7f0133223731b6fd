// What the session tests share: a program from clang, and stock opt-22 as the oracle.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "notation/action.h"
#include "notation/pass_options.h"
#include "support/process.h"

namespace ordo::session {

inline constexpr std::string_view kProgram = R"(
#include <string.h>
static int table[64];
static int square(int x) { return x * x; }
static int weight(const char* s) {
  int sum = 0;
  for (int i = 0; i < (int)strlen(s); i++) sum += square(s[i]) ^ table[i & 63];
  return sum;
}
int fill(int n) {
  for (int i = 0; i < 64; i++)
    for (int j = i; j < 64; j++) table[i] ^= (i * j + n) >> 2;
  return table[n & 63];
}
int main(int argc, char** argv) {
  int best = fill(argc);
  for (int i = 0; i < argc; i++) {
    const int now = weight(argv[i]);
    best = now > best ? now : best;
  }
  return best;
})";

inline std::string runTool(const std::vector<std::string>& argv, std::string_view input) {
  const auto result = runProcess(argv, {.input = std::string(input), .dir = {}});
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->ok()) << result->err;
  return result->out;
}

// As it enters clang's pipeline at -Oz.
inline const std::string& programBitcode() {
  static const std::string kBitcode = runTool(
      {"clang-22", "-x", "c", "-Oz", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-", "-o", "-"},
      kProgram);
  return kBitcode;
}

inline std::string opt(std::string_view bitcode, std::vector<std::string> options) {
  options.insert(options.begin(), {"opt-22", "-relocation-model=pic"});
  return runTool(options, bitcode);
}

// An action for each text; "+name" and "-name" are attributes, "-name=number" options of passes.
inline env::SessionSpec specFor(std::string program, const std::vector<std::string>& texts) {
  env::SessionSpec spec{"sample", std::move(program), {}, {}};
  for (const std::string& text : texts) {
    const bool attribute = text.starts_with('+') || text.starts_with('-');
    const bool option = notation::isPassOption(text);
    spec.actions.push_back({text,
                            option      ? notation::kOption
                            : attribute ? notation::kAttribute
                                        : notation::kPipeline,
                            text});
  }
  return spec;
}

}  // namespace ordo::session
