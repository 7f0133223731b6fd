#include "llvm/ir/loops.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

// Two functions with a body; in the first an outer loop with two inner ones.
constexpr std::string_view kNests = R"(
@which = global i32 0
declare void @ext()
define void @two(i1 %c) {
entry:
  br label %outer
outer:
  br label %first
first:
  store i32 1, ptr @which
  br i1 %c, label %first, label %between
between:
  br label %second
second:
  store i32 2, ptr @which
  br i1 %c, label %second, label %latch
latch:
  br i1 %c, label %outer, label %exit
exit:
  ret void
}
define void @one(i1 %c) {
entry:
  br label %alone
alone:
  store i32 3, ptr @which
  br i1 %c, label %alone, label %exit
exit:
  ret void
}
)";

// The loops' own numbers: what each stores.
std::vector<std::int64_t> visited(std::size_t most) {
  Result<OwnedModule> module = parse(kNests, "nests");
  EXPECT_TRUE(module) << module.error().message;
  std::vector<std::int64_t> stored;
  visitInnermostLoops(**module, [&](std::size_t number, llvm::Loop& loop) {
    EXPECT_EQ(number, stored.size());
    const auto& value = llvm::cast<llvm::StoreInst>(loop.getHeader()->front()).getOperandUse(0);
    stored.push_back(llvm::cast<llvm::ConstantInt>(value)->getSExtValue());
    return stored.size() < most;
  });
  return stored;
}

TEST(LoopsTest, InnermostLoopsAreNumberedInTheOrderOfTheModule) {
  EXPECT_EQ(visited(9), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(LoopsTest, AVisitEndsWhenItIsToldTo) { EXPECT_EQ(visited(2), (std::vector<std::int64_t>{1, 2})); }

}  // namespace
}  // namespace ordo::ir
