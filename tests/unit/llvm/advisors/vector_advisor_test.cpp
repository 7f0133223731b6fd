#include "llvm/advisors/vector_advisor.h"

#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

#include "env/plain_advisors.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "notation/decisions.h"
#include "support/process.h"

namespace ordo::advisors {
namespace {

constexpr std::string_view kLoops = R"(
int dot(const signed char* a, const signed char* b, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += a[i] * b[i];
  return total;
}
float sum(const float* of, int n) {
  float total = 0;
  for (int i = 0; i < n; i++) total += of[i];
  return total;
})";

std::string bitcode(const std::string& level = "-O3") {
  const auto made = runProcess(
      {"clang-22", "-x", "c", "-", "-o", "-", "-c", level, "-Xclang", "-disable-llvm-passes", "-emit-llvm"},
      {.input = std::string(kLoops), .dir = {}});
  EXPECT_TRUE(made && made->ok());
  return made->out;
}

std::uint32_t answer(std::string_view name) {
  const std::vector<std::string>& answers = notation::vectorFactorsDecision().answers;
  return static_cast<std::uint32_t>(std::ranges::find(answers, name) - answers.begin());
}

// The text of the module behind the pipeline; no advisor if there are no answers.
std::string compiled(const std::string& module_bitcode, std::vector<std::uint32_t> answers) {
  ir::initialiseTargets();
  const Result<ir::OwnedModule> module = ir::parse(module_bitcode, "test");
  EXPECT_TRUE(module);
  const auto machine = ir::makeTargetMachine(**module, {});
  actions::runClangO3(**module, **machine, [&](llvm::PassBuilder& builder) {
    if (answers.empty()) return;
    adviseVectorizing(builder, [&] {
      return std::make_unique<env::ListedAdvisor>(notation::vectorFactorsDecision(), answers);
    });
  });
  EXPECT_EQ(ir::verify(**module), "");
  return ir::print(**module);
}

TEST(VectorAdvisorTest, WidthAndCountAreFollowed) {
  const std::string wide = compiled(bitcode(), {answer("8x2")});
  EXPECT_NE(wide.find("<8 x i32>"), std::string::npos);
  EXPECT_EQ(compiled(bitcode(), {}).find("<8 x i32>"), std::string::npos);
  EXPECT_EQ(compiled(bitcode(), {answer("1x1")}).find("x i32>"), std::string::npos);
}

TEST(VectorAdvisorTest, WhatIsUsualChangesNothing) {
  EXPECT_EQ(compiled(bitcode(), {0, 0}), compiled(bitcode(), {}));
}

TEST(VectorAdvisorTest, FloatsStayInOrder) {
  // What is not allowed is not said; ListedAdvisor says what is usual in its place.
  EXPECT_EQ(compiled(bitcode(), {0, answer("8x2")}), compiled(bitcode(), {}));
}

TEST(VectorAdvisorTest, WhereSizeCountsNobodyIsAsked) {
  EXPECT_EQ(compiled(bitcode("-Os"), {answer("8x2")}), compiled(bitcode("-Os"), {}));
}

}  // namespace
}  // namespace ordo::advisors
