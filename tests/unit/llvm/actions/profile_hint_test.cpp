#include "llvm/actions/profile_hint.h"

#include <gmock/gmock.h>

#include <limits>

#include "llvm/actions/pipeline.h"
#include "llvm/ir/profile.h"
#include "support/files.h"
#include "support/rng.h"
#include "tests/unit/llvm/actions/stock.h"

namespace ordo::actions {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Every kind of choice that has weights, a function that is hot, one that nobody calls, and values that are
// usual.
constexpr std::string_view kProgram = R"(
#include <stdio.h>
#include <string.h>
static int collatz(unsigned n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}
__attribute__((noinline)) static int name(int which) {
  switch (which % 7) {
    case 0: return 'a';
    case 1: return 'b';
    case 5: return 'f';
    default: return which > 1000 ? 'z' : 'y';
  }
}
static int twice(int x) { return 2 * x; }
static int half(int x) { return x / 2; }
int never(int x) { return x ? printf("no\n") : 0; }
int main(int argc, char** argv) {
  int total = argc > 5 ? never(argc) : 0;
  for (int i = 1; i < 3000; i++) {
    int (*volatile change)(int) = i % 500 ? twice : half;
    char from[64] = "", to[64];
    memcpy(to, from, (size_t)(i % 100 ? 8 : argc));
    total += collatz((unsigned)i) + name(i) + change(i) + to[0];
  }
  printf("%d\n", total);
  return argv == 0;
})";

// kProgram as given, and with the profile of a run as stock LLVM leaves it.
struct Profiled {
  std::string given = clangBitcode("c", kProgram, "-O3");
  std::string annotated;

  Profiled() {
    const TempDir dir = *TempDir::create();
    const std::string at = dir.path().string();
    EXPECT_TRUE(writeFile(at + "/given.bc", given));
    runTool({"opt-22", "-passes=pgo-instr-gen,instrprof", at + "/given.bc", "-o", at + "/counting.bc"});
    runTool({"clang-22", "-w", "-c", at + "/counting.bc", "-o", at + "/counting.o"});
    runTool({"clang-22", "-fprofile-generate", at + "/counting.o", "-o", at + "/counting"});
    runTool({"/usr/bin/env", "LLVM_PROFILE_FILE=" + at + "/raw", at + "/counting"});
    runTool({"llvm-profdata-22", "merge", "-o", at + "/profile", at + "/raw"});
    annotated = opt(given, {"-passes=pgo-instr-use", "-pgo-test-profile-file=" + at + "/profile"});
  }
};

// As runtime/profile.cpp writes it.
std::string profileHint(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += ";" + (number < 0 ? "" : std::to_string(number));
  return "ordo-profile<" + text.substr(1) + ">";
}

// The text of a module after these passes.
std::string after(std::string_view bitcode, const std::string& passes) {
  const ir::OwnedModule module = parsed(bitcode);
  const auto machine = machineFor(module);
  PipelineRunner runner(*module, *machine);
  EXPECT_TRUE(runner.run(passes));
  EXPECT_EQ(ir::verify(*module), "");
  return ir::print(*module);
}

TEST(ProfileHintTest, IsReadFromTheNameOfAPass) {
  EXPECT_THAT(*parseProfileHint("ordo-profile<7>"), ElementsAre(7));
  EXPECT_THAT(*parseProfileHint("ordo-profile<;0>"), ElementsAre(-1, 0));
  EXPECT_THAT(*parseProfileHint("ordo-profile<1;;30;>"), ElementsAre(1, -1, 30, -1));
  for (const char* bad : {"ordo-profile", "ordo-profile<>", "ordo-profile<-1>", "ordo-profile<1;x>",
                          "ordo-profile<1 >", "ordo-profile<99999999999999999999>", "profile<1>"})
    EXPECT_FALSE(parseProfileHint(bad)) << bad;
}

TEST(ProfileHintTest, ItGivesTheModuleWhatAProfileDoes) {
  const Profiled profiled;
  const ir::OwnedModule source = parsed(profiled.annotated);
  const std::vector<std::int64_t> numbers = ir::profileOf(*source);
  ASSERT_GT(numbers.size(), 50u);
  const std::string pass = profileHint(numbers);
  EXPECT_EQ(parseProfileHint(pass), numbers);

  const ir::OwnedModule module = parsed(profiled.given);
  const auto machine = machineFor(module);
  PipelineRunner runner(*module, *machine);
  // Who asked for a summary before there was one does not go on without.
  ASSERT_TRUE(runner.run("require<profile-summary>"));
  EXPECT_TRUE(*runner.run(pass));
  EXPECT_EQ(ir::profileOf(*module), numbers);
  const std::string text = ir::print(*module);
  EXPECT_THAT(text, HasSubstr("ProfileSummary"));
  EXPECT_THAT(text, HasSubstr("\"function_entry_count\", i64 2999"));
  EXPECT_THAT(text, HasSubstr("!{!\"VP\", i32 0, i64 2999, "));  // calls
  EXPECT_THAT(text, HasSubstr("!{!\"VP\", i32 1, i64 2999, "));  // lengths
  EXPECT_THAT(after(profiled.given, pass + ",pgo-icall-prom"), HasSubstr("icmp eq ptr %"))
      << "which is called?";
  EXPECT_FALSE(*runner.run(pass)) << "it has a profile now";

  // Optimised with what stock LLVM says of each block: hot and cold are told apart.
  EXPECT_THAT(after(profiled.given, pass + ",default<O3>"), Not(after(profiled.given, "default<O3>")));
}

TEST(ProfileHintTest, WhatDoesNotFitChangesNothing) {
  const Profiled profiled;
  const ir::OwnedModule source = parsed(profiled.annotated);
  const std::vector<std::int64_t> numbers = ir::profileOf(*source);
  const std::string untouched = after(profiled.given, "verify");
  std::size_t without_some_values = 0;
  for (std::size_t cut = 0; cut < numbers.size(); ++cut) {
    std::vector<std::int64_t> less(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(cut));
    const ir::OwnedModule module = parsed(profiled.given);
    if (ir::setProfile(*module, less)) {
      ASSERT_EQ(ir::profileOf(*module), less) << cut;
      ++without_some_values;
    } else if (cut % 16 == 0) {
      ASSERT_EQ(ir::print(*module), untouched) << cut;
    }
  }
  EXPECT_EQ(without_some_values, 2u) << "with none, and with the lengths alone";
  std::vector<std::int64_t> more = numbers;
  more.push_back(0);
  EXPECT_EQ(after(profiled.given, profileHint(more)), untouched);
  std::vector<std::int64_t> endless = numbers;
  endless[0] = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(after(profiled.given, profileHint(endless)), untouched);
}

TEST(ProfileHintTest, WrongNumbersThatFitDoNoHarm) {
  const Profiled profiled;
  const ir::OwnedModule source = parsed(profiled.annotated);
  const std::vector<std::int64_t> numbers = ir::profileOf(*source);
  std::size_t taken = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    std::vector<std::int64_t> wrong = numbers;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t values[] = {-1,
                                     0,
                                     1,
                                     4'294'967'295,
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min()};
      wrong[rng.below(wrong.size())] = values[rng.below(std::size(values))];
    }
    const ir::OwnedModule module = parsed(profiled.given);
    const auto machine = machineFor(module);
    PipelineRunner runner(*module, *machine);
    if (!ir::setProfile(*module, wrong)) continue;
    ++taken;
    ASSERT_TRUE(runner.run("default<O3>")) << seed;
    ASSERT_EQ(ir::verify(*module), "") << seed;
  }
  EXPECT_GT(taken, 5u);
}

}  // namespace
}  // namespace ordo::actions
