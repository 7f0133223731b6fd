#include "llvm/advisors/loop_costs.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "llvm/ir/module.h"
#include "llvm/ir/target.h"

namespace ordo::advisors {
namespace {

constexpr std::string_view kLoop = R"(target triple = "x86_64-pc-linux-gnu"
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %pa
  %y = add i32 %x, 3
  store i32 %y, ptr %pa
  %j = mul i64 %i, -1
  %pr = getelementptr i32, ptr %a, i64 %j
  %s = mul i64 %i, 3
  %ps = getelementptr i32, ptr %a, i64 %s
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
)";

class LoopCostsTest : public testing::Test {
 protected:
  LoopCostsTest() {
    ir::initialiseTargets();
    machine_ = *ir::makeTargetMachine(*module_, {});
    function_ = module_->getFunction("f");
    dominators_.emplace(*function_);
    loops_.emplace(*dominators_);
    library_.emplace(module_->getTargetTriple());
    names_.emplace(*library_);
    assumptions_.emplace(*function_);
    evolution_.emplace(*function_, *names_, *assumptions_, *dominators_, *loops_);
    target_.emplace(machine_->getTargetTransformInfo(*function_));
  }

  llvm::Loop& loop() { return **loops_->begin(); }
  // That of the instruction with this number in the loop: names may be gone.
  llvm::Value& value(int number) { return *std::next(loop().getHeader()->begin(), number); }

  ir::OwnedModule module_ = *ir::parse(std::string(kLoop), "test");
  std::unique_ptr<llvm::TargetMachine> machine_;
  llvm::Function* function_ = nullptr;
  std::optional<llvm::DominatorTree> dominators_;
  std::optional<llvm::LoopInfo> loops_;
  std::optional<llvm::TargetLibraryInfoImpl> library_;
  std::optional<llvm::TargetLibraryInfo> names_;
  std::optional<llvm::AssumptionCache> assumptions_;
  std::optional<llvm::ScalarEvolution> evolution_;
  std::optional<llvm::TargetTransformInfo> target_;
};

TEST_F(LoopCostsTest, WhatAVectorDoesAtOnceCostsLess) {
  const double one = costOf(loop(), *evolution_, *target_, 1),
               four = costOf(loop(), *evolution_, *target_, 4);
  EXPECT_GT(one, four);
  EXPECT_GT(four, 0);
}

TEST_F(LoopCostsTest, StepsAreToldApart) {
  EXPECT_EQ(stepOf(loop(), *evolution_, value(1), 32).kind, Step::Kind::kNext);
  EXPECT_EQ(stepOf(loop(), *evolution_, value(6), 32).kind, Step::Kind::kReversed);
  EXPECT_EQ(stepOf(loop(), *evolution_, value(8), 32).elements, 3u);
  EXPECT_EQ(stepOf(loop(), *evolution_, *function_->getArg(0), 32).kind, Step::Kind::kFixed);
  EXPECT_TRUE(isIndex(loop(), *evolution_, value(7)));
  EXPECT_FALSE(isIndex(loop(), *evolution_, value(3)));
}

TEST_F(LoopCostsTest, WhatIsLeftOverIsCountedIn) {
  EXPECT_EQ(tailOf(8, 8, 4), 0);
  EXPECT_EQ(tailOf(8, 11, 4), 1.5);
  EXPECT_EQ(tailOf(1, 0, 4), 1.5) << "nobody knows";
  // With more at a time than there are, nothing is gained.
  const std::vector<double> few = estimatesOf(loop(), *evolution_, *target_, 6, 6);
  EXPECT_EQ(few[0], 0);
  EXPECT_GT(few.back(), few[1] * 0.9);
  const std::vector<double> many = estimatesOf(loop(), *evolution_, *target_, 2048, 2048);
  EXPECT_LT(many.back(), many[1]);
}

TEST_F(LoopCostsTest, ProductsAreDearWithoutSse4) {
  const TargetCosts costs = costsOf(*target_, module_->getContext());
  EXPECT_GT(costs.multiply, 1);
  EXPECT_GT(costs.largest, 1);
}

}  // namespace
}  // namespace ordo::advisors
