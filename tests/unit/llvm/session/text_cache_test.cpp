#include "llvm/session/text_cache.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "llvm/actions/pipeline.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "tests/unit/llvm/session/programs.h"

namespace ordo::session {
namespace {

std::string compile(const std::vector<std::string>& flags, std::string_view program) {
  std::vector<std::string> argv{"clang-22"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  argv.insert(argv.end(), {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-", "-o", "-"});
  return runTool(argv, program);
}

// A program that passes change, measured in both ways.
class TextCacheTest : public testing::Test {
 protected:
  void load(const std::string& bitcode) {
    ir::initialiseTargets();
    module_.emplace(*ir::parse(bitcode, "program"));
    machine_ = *ir::makeTargetMachine(**module_, {});
  }

  void run(std::string_view pipeline) {
    actions::PipelineRunner runner(**module_, *machine_);
    ASSERT_TRUE(runner.run(pipeline)) << pipeline;
  }

  ir::TextSizes whole() const {
    const ir::OwnedModule copy = *ir::parse(ir::writeExactBitcode(**module_), "copy");
    const ir::ObjectSizes sizes = *ir::objectSizes(*ir::emit(*copy, *machine_, ir::EmitKind::kObject));
    return {sizes.text, sizes.code};
  }

  std::optional<ir::TextSizes> cached() {
    written_.clear();
    return cache_->sizes(
        **module_,
        [this]() -> const std::string& {
          if (written_.empty()) written_ = ir::writeExactBitcode(**module_);
          return written_;
        },
        *machine_);
  }

  std::optional<ir::OwnedModule> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  static constexpr double kAlways = 1e6;  // so much advance that it never gives up
  std::optional<TextCache> cache_{std::in_place};
  std::string written_;  // empty unless the last cached() needed to emit something
};

constexpr std::string_view kPasses[] = {"function(sroa)",
                                        "function(early-cse<memssa>)",
                                        "function(simplifycfg)",
                                        "cgscc(inline)",
                                        "globalopt",
                                        "function(gvn)",
                                        "function(tailcallelim)",
                                        "function(reassociate)",
                                        "globaldce",
                                        "function(dse)",
                                        "function(jump-threading)"};

// What parts have in C: jump tables, constants of the constant pool, strings, a static function that
// is the target of a tail call.
constexpr std::string_view kParts = R"(
#include <stdio.h>
static const int weights[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
static double total;
__attribute__((noinline)) static int report(const char* what) { total *= 1.25; return printf("%s %f\n", what, total); }
__attribute__((noinline)) static int describe(int n) {
  switch (n) {
    case 0: return report("none");
    case 1: return puts("one") + n;
    case 2: return printf("two %d\n", n);
    case 3: return puts("three") * 2;
    case 4: return report("four");
    case 5: return puts("five") - 7;
    default: return weights[n % 11];
  }
}
float scale(float x) { return x * 1.5f + (float)weights[(int)x & 7]; }
int tail(int n) { return describe(n + 1); }
int main(int argc, char** argv) { total += argc; return tail(argc) + (int)scale(2.5f) + report(argv[0]); }
)";

TEST_F(TextCacheTest, EqualsAWholeEmissionAfterEveryPass) {
  for (const char* level : {"-Oz", "-O2"}) {
    cache_.emplace(kAlways);
    load(compile({level, "-x", "c"}, kParts));
    std::size_t answers = 0;
    for (const std::string_view pass : kPasses) {
      run(pass);
      const std::optional<ir::TextSizes> bytes = cached();
      if (!bytes) continue;
      ++answers;
      EXPECT_EQ(*bytes, whole()) << level << " " << pass;
    }
    EXPECT_EQ(answers, std::size(kPasses) - 1) << level;
  }
}

TEST_F(TextCacheTest, EqualsAWholeEmissionWithExceptionsAndComdats) {
  cache_.emplace(kAlways);
  load(compile({"-Oz", "-x", "c++"}, R"(
#include <stdexcept>
#include <string>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual int area(int) const; };
int Shape::area(int n) const { if (n < 0) throw std::out_of_range("negative"); return n * n; }
template <typename T> T sum(const std::vector<T>& values) { T s{}; for (const T& v : values) s += v; return s; }
int sumOf(const std::vector<int>& v) { try { return sum(v) + Shape().area(v.at(3)); } catch (const std::exception& e) { return (int)std::string(e.what()).size(); } }
)"));
  std::size_t answers = 0;
  for (const std::string_view pass : kPasses) {
    run(pass);
    const std::optional<ir::TextSizes> bytes = cached();
    if (!bytes) continue;
    ++answers;
    EXPECT_EQ(*bytes, whole()) << pass;
  }
  EXPECT_EQ(answers, std::size(kPasses) - 1);
}

TEST_F(TextCacheTest, AKnownStateIsNotEmittedAgain) {
  load(programBitcode());
  EXPECT_FALSE(cached()) << "the first state is emitted whole";
  ASSERT_TRUE(cached());
  EXPECT_FALSE(written_.empty());
  ASSERT_TRUE(cached());
  EXPECT_TRUE(written_.empty());
}

TEST_F(TextCacheTest, WhatCannotBeTakenApartIsLeftAlone) {
  for (const std::string_view program : {
           "int f(void) { return 1; } extern int g(void) __attribute__((alias(\"f\")));",
           "__asm__(\".globl x\\nx: nop\"); int f(void) { return 1; }",
           "int f(int n) { static void* const to[] = {&&a, &&b}; goto *to[n]; a: return 1; b: return 2; }",
       }) {
    load(compile({"-Oz", "-x", "c"}, program));
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(cached()) << program;
  }
}

// Every state has other functions: filling a cache would cost as much again as emitting.
TEST_F(TextCacheTest, StopsFillingWhenNothingEverComesBack) {
  int filled = 0;
  for (int i = 0; i < 30; ++i) {
    load(compile(
        {"-Oz", "-x", "c", "-D", "N=" + std::to_string(i)},
        "int a(int x) { return x * N; } int b(int x) { return x + N; } int c(int x) { return x ^ N; }"));
    cached();
    filled += !written_.empty();
  }
  EXPECT_LE(filled, 10);
}

}  // namespace
}  // namespace ordo::session
