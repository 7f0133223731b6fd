#include "llvm/advisors/estimated_cycles.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cmath>

#include "llvm/ir/assembly.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"

namespace ordo::advisors {
namespace {

Result<EstimatedCycles> estimateOf(const std::string& text) {
  ir::initialiseTargets();
  ORDO_TRY_ASSIGN(const ir::OwnedModule module,
                  ir::parse("target triple = \"x86_64-pc-linux-gnu\"\n" + text, "sample"));
  ORDO_TRY_ASSIGN(const auto machine, ir::makeTargetMachine(*module, {}));
  return estimateCycles(*module, *machine);
}

double cyclesOf(const std::string& text) {
  const auto estimate = estimateOf(text);
  EXPECT_TRUE(estimate) << estimate.error().message;
  return std::expm1(estimate->log_cycles);
}

TEST(EstimatedCyclesTest, ACallCostsWhatTheCalleeDoesAndTheCall) {
  const std::string leaf =
      "define i32 @leaf(i32 %a) {\n %b = udiv i32 %a, 7\n %c = udiv i32 %b, %a\n ret i32 %c\n}\n";
  const std::string local = "define internal" + leaf.substr(6);
  const double once =
      cyclesOf(local + "define i32 @f(i32 %a) {\n %b = call i32 @leaf(i32 %a)\n ret i32 %b\n}\n");
  const double twice =
      cyclesOf(local +
               "define i32 @f(i32 %a) {\n %b = call i32 @leaf(i32 %a)\n %c = call i32 @leaf(i32 %b)\n"
               " ret i32 %c\n}\n");
  EXPECT_NEAR(twice - once, kCallCycles + cyclesOf(leaf), 1e-6);
  EXPECT_GT(cyclesOf(leaf), 2) << "divisions are not as quick as additions";
}

TEST(EstimatedCyclesTest, WhatIsInALoopCountsMoreThanOnce) {
  const auto loop = [](const std::string& inside, const std::string& outside) {
    return "define i32 @f(i32 %n, i32 %d) {\nentry:\n br label %l\nl:\n %i = phi i32 [0, %entry], [%j, "
           "%l]\n" +
           inside + " %j = add i32 %i, 1\n %c = icmp slt i32 %j, %n\n br i1 %c, label %l, label %e\ne:\n" +
           outside + " ret i32 %n\n}\n";
  };
  const std::string division = " %q = udiv i32 %n, %d\n";
  EXPECT_GT(cyclesOf(loop(division, "")), cyclesOf(loop("", division)));
}

TEST(EstimatedCyclesTest, RecursionEndsAndSomethingHasToBeCallable) {
  EXPECT_GT(cyclesOf("define i32 @f(i32 %a) {\n %b = call i32 @g(i32 %a)\n ret i32 %b\n}\n"
                     "define i32 @g(i32 %a) {\n %b = call i32 @f(i32 %a)\n ret i32 %b\n}\n"),
            0);
  const auto nothing = estimateOf("define internal void @f() {\n ret void\n}\n");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::advisors
