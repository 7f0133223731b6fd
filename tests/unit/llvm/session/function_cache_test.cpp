#include "llvm/session/function_cache.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "llvm/actions/pipeline.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "tests/unit/llvm/session/programs.h"

namespace ordo::session {
namespace {

using Sizes = std::map<std::string, std::uint64_t>;

class FunctionCacheTest : public testing::Test {
 protected:
  void load(const std::string& bitcode) {
    ir::initialiseTargets();
    module_.emplace(*ir::parse(bitcode, "program"));
    machine_ = *ir::makeTargetMachine(**module_, {});
  }

  // Of the whole object, where each function has a section of its own.
  Sizes whole() const {
    const ir::OwnedModule copy = *ir::parse(ir::writeExactBitcode(**module_), "copy");
    ir::TargetOptions options;
    options.function_sections = true;
    const auto machine = *ir::makeTargetMachine(*copy, options);
    return ir::functionBytes(*ir::emit(*copy, *machine, ir::EmitKind::kObject));
  }

  std::optional<Sizes> cached(const std::string& around = "") {
    written_.clear();
    return cache_.sizes(
        **module_, around,
        [this]() -> const std::string& {
          if (written_.empty()) written_ = ir::writeExactBitcode(**module_);
          return written_;
        },
        *machine_);
  }

  std::optional<ir::OwnedModule> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  FunctionCache cache_;
  std::string written_;  // empty unless the last cached() needed to emit something
};

constexpr std::string_view kParts = R"(
#include <stdexcept>
#include <string>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual int area(int) const; };
int Shape::area(int n) const { if (n < 0) throw std::out_of_range("negative"); return n * n; }
template <typename T> T sum(const std::vector<T>& values) { T s{}; for (const T& v : values) s += v; return s; }
static __attribute__((noinline)) int twice(int n) { return n * 2; }
int next(int n) { return twice(n + 1); }
extern "C" { int two(int n) { return n + 2; } int also(int) __attribute__((alias("two"))); int both(int n) { return two(n) * also(n); } }
struct Base { Base(int); virtual ~Base(); int n; };
Base::Base(int n) : n(n) {}
Base::~Base() { n = 0; }
int based(int n) { Base base(n); return base.n; }
int (*chosen(int n))(int) { return n > 0 ? twice : next; }
const char* name(int n) { switch (n) { case 0: return "a"; case 1: return "bc"; case 2: return "def"; case 3: return "g"; case 4: return "hi"; default: return ""; } }
int sumOf(const std::vector<int>& v) { try { return sum(v) + Shape().area(v.at(3)); } catch (const std::exception& e) { return (int)std::string(e.what()).size(); } }
)";

std::string parts() {
  return runTool(
      {"clang-22", "-Oz", "-x", "c++", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-", "-o", "-"},
      kParts);
}

TEST_F(FunctionCacheTest, EqualsAWholeEmissionAfterEveryPass) {
  load(parts());
  for (const std::string_view pass :
       {"function(sroa)", "function(early-cse<memssa>)", "function(simplifycfg)", "cgscc(inline)",
        "globalopt", "function(gvn)", "function(tailcallelim)", "globaldce", "function(jump-threading)"}) {
    actions::PipelineRunner runner(**module_, *machine_);
    ASSERT_TRUE(runner.run(pass)) << pass;
    const std::optional<Sizes> sizes = cached();
    ASSERT_TRUE(sizes) << pass;
    for (const auto& [symbol, bytes] : whole())
      if (sizes->contains(symbol)) EXPECT_EQ(sizes->at(symbol), bytes) << symbol << " after " << pass;
    EXPECT_GT(sizes->size(), 8U) << pass;
  }
}

TEST_F(FunctionCacheTest, AFunctionIsEmittedOnceForEachWayToMakeCode) {
  load(programBitcode());
  const std::optional<Sizes> first = cached();
  ASSERT_TRUE(first);
  EXPECT_FALSE(written_.empty());
  EXPECT_EQ(cached(), first);
  EXPECT_TRUE(written_.empty()) << "all were known";
  EXPECT_EQ(cached("another option"), first);
  EXPECT_FALSE(written_.empty()) << "what is known is of another way";
}

TEST_F(FunctionCacheTest, AFunctionWithoutANameIsInNoAnswer) {
  load(
      "target triple = \"x86_64-unknown-linux-gnu\"\n"
      "define internal i32 @0(i32 %n) noinline { %m = mul i32 %n, 7 ret i32 %m }\n"
      "define i32 @f(i32 %n) { %m = call i32 @0(i32 %n) ret i32 %m }");
  const std::optional<Sizes> sizes = cached();
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->size(), 1U);
  EXPECT_EQ(sizes->at("f"), whole().at("f"));
}

TEST_F(FunctionCacheTest, WhereFunctionsCannotBeAloneThereIsNoAnswer) {
  load(runTool({"clang-22", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-x", "c", "-c", "-", "-o", "-"},
               "int twice(int n) { return n * 2; }\nasm(\".globl there\\nthere: ret\");\n"));
  EXPECT_FALSE(cached());
}

}  // namespace
}  // namespace ordo::session
