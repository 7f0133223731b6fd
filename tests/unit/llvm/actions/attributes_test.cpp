#include "llvm/actions/attributes.h"

#include <gmock/gmock.h>
#include <llvm/IR/Function.h>

#include "tests/unit/llvm/actions/stock.h"

namespace ordo::actions {
namespace {

using testing::HasSubstr;

// Definitions and declarations, an intrinsic, and a function that already differs from the rest.
constexpr std::string_view kProgram = R"(
#include <string.h>
int helper(int);
__attribute__((minsize)) static int small(int x) { return x * helper(x); }
int copy(char* to, const char* from, int n) {
  memcpy(to, from, 64);
  return small(n) + __builtin_clz((unsigned)n);
}
)";

std::string applied(std::string_view bitcode, std::string_view action) {
  const ir::OwnedModule module = parsed(bitcode);
  const Result<bool> changed = applyAttribute(*module, action);
  EXPECT_TRUE(changed) << changed.error().message;
  return ir::writeBitcode(*module);
}

TEST(AttributesTest, DoWhatForceattrsDoes) {
  for (const char* level : {"-O2", "-Oz"}) {
    const std::string bitcode = clangBitcode("c", kProgram, level);
    for (const char* name : {"minsize", "optsize", "noinline"}) {
      const std::string added =
          opt(bitcode, {"-passes=forceattrs", fmt::format("-force-attribute={}", name)});
      EXPECT_EQ(asRead(applied(bitcode, fmt::format("+{}", name))), asRead(added)) << level << " +" << name;
      const std::string removed =
          opt(bitcode, {"-passes=forceattrs", fmt::format("-force-remove-attribute={}", name)});
      EXPECT_EQ(asRead(applied(bitcode, fmt::format("-{}", name))), asRead(removed)) << level << " -" << name;
    }
  }
}

// Reading would undo a change there, and the same state would have two hashes.
TEST(AttributesTest, WhatTheyWriteReadsBackEqual) {
  const std::string bitcode = clangBitcode("c", kProgram, "-O2");
  for (const char* action : {"+minsize", "+optsize", "-nounwind"}) {
    const std::string changed = applied(bitcode, action);
    EXPECT_EQ(asRead(changed), changed) << action;
  }
}

TEST(AttributesTest, SayWhetherTheyChangedAnything) {
  const ir::OwnedModule module = parsed(clangBitcode("c", kProgram, "-O2"));
  EXPECT_TRUE(applyAttribute(*module, "+minsize").value());
  EXPECT_FALSE(applyAttribute(*module, "+minsize").value());
  EXPECT_TRUE(applyAttribute(*module, "-minsize").value());
  EXPECT_FALSE(applyAttribute(*module, "-minsize").value());
  for (const llvm::Function& function : *module)
    EXPECT_FALSE(function.hasFnAttribute(llvm::Attribute::MinSize));
}

TEST(AttributesTest, OtherTextIsRefusedAndChangesNothing) {
  const ir::OwnedModule module = parsed(clangBitcode("c", kProgram, "-O2"));
  const std::string before = ir::writeBitcode(*module);
  for (const char* text :
       {"", "+", "-", "minsize", "*minsize", "+no-such-attribute", "+zeroext", "+align", "+target-cpu"}) {
    const Result<bool> changed = applyAttribute(*module, text);
    ASSERT_FALSE(changed) << text;
    EXPECT_EQ(changed.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_THAT(applyAttribute(*module, "minsize").error().message, HasSubstr("write +minsize or -minsize"));
  EXPECT_THAT(applyAttribute(*module, "+zeroext").error().message,
              HasSubstr("'zeroext' is not a function attribute"));
  EXPECT_EQ(ir::writeBitcode(*module), before);
}

}  // namespace
}  // namespace ordo::actions
