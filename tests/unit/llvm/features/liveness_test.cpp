#include "llvm/features/liveness.h"

#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

Liveness of(std::string_view text) {
  const auto module = parseText(text);
  return livenessOf(*module->getFunction("f"));
}

TEST(LivenessTest, OfWhatIsUsedBehindACall) {
  const Liveness alive = of(R"(
declare i32 @g(i32)
define i32 @f(i32 %a, i32 %b, i32 %unused) {
  %x = call i32 @g(i32 %a)
  %y = add i32 %x, %b
  ret i32 %y
})");
  EXPECT_EQ(alive.across_calls, 1) << "%b; what the call returns was not there before";
  EXPECT_EQ(alive.at_once, 2);
  EXPECT_EQ(alive.across_blocks, 0);
}

TEST(LivenessTest, GoesAroundLoops) {
  const Liveness alive = of(R"(
define i32 @f(i32 %n, i32 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, %k
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %next
})");
  EXPECT_EQ(alive.across_blocks, 2 + 3) << "%n and %k, and with them %next";
  EXPECT_EQ(alive.at_once, 4) << "%more beside them";
}

TEST(LivenessTest, AddressesOfLoadsAreComputedThere) {
  constexpr std::string_view kText = R"(
define i32 @f(ptr %p, i64 %i) {
  %at = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %at
  ret i32 %x
})";
  EXPECT_EQ(of(kText).at_once, 2);
  const auto module = parseText(kText);
  const auto& address =
      llvm::cast<llvm::GetElementPtrInst>(module->getFunction("f")->getEntryBlock().front());
  EXPECT_TRUE(foldsIntoUses(address));
}

TEST(LivenessTest, OfWhatHasNoBodyIsNothing) {
  EXPECT_EQ(of("declare void @f()").at_once, 0);
  EXPECT_EQ(of("define void @f() {\n  ret void\ndead:\n  br label %dead\n}").at_once, 0);
}

}  // namespace
}  // namespace ordo::features
