#include "llvm/ir/isolate.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <array>

#include "llvm/ir/target.h"
#include "llvm/ir/text_layout.h"

namespace ordo::ir {
namespace {

constexpr std::string_view kModule = R"(
target triple = "x86_64-unknown-linux-gnu"
$shared = comdat any
@text = private unnamed_addr constant [3 x i8] c"ab\00"
@count = internal global i32 3
@open = global i32 4
define internal void @hidden() { ret void }
define linkonce_odr void @shared() comdat { call void @hidden()  ret void }
define available_externally void @elsewhere() { ret void }
define i32 @main() { call void @shared()  call void @elsewhere()  %v = load i32, ptr @count  ret i32 %v }
)";

std::string bitcode(std::string_view text = kModule) { return writeExactBitcode(**parse(text, "test")); }

Result<OwnedModule> only(std::string_view name, const std::string& bytes = bitcode()) {
  const std::array names{name};
  return isolateFunctions(bytes, names);
}

TEST(IsolateTest, KeepsOneBodyAndDeclaresTheRest) {
  const Result<OwnedModule> module = only("main");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(verify(**module), "");
  for (const llvm::Function& function : **module)
    EXPECT_EQ(function.isDeclaration(), function.getName() != "main") << function.getName().str();
  EXPECT_FALSE((*module)->getFunction("shared")->hasComdat());
}

TEST(IsolateTest, WhatWasLocalIsStillAddressedDirectly) {
  const Result<OwnedModule> module = only("main");
  const llvm::Function* hidden = (*module)->getFunction("hidden");
  EXPECT_TRUE(hidden->isDSOLocal());
  EXPECT_TRUE(hidden->hasHiddenVisibility());
  EXPECT_FALSE((*module)->getFunction("shared")->isDSOLocal());
}

TEST(IsolateTest, VariablesStayAsTheyAreButDoNotCount) {
  const Result<OwnedModule> module = only("main");
  const llvm::GlobalVariable* text = (*module)->getNamedGlobal("text");
  EXPECT_TRUE(text->hasPrivateLinkage());
  EXPECT_TRUE((*module)->getNamedGlobal("open")->hasInitializer());
  initialiseTargets();
  const auto machine = *makeTargetMachine(**module, {});
  const TextPieces pieces = *textPieces(*emit(**module, *machine, EmitKind::kObject));
  ASSERT_EQ(pieces.pieces.size(), 1u);
  EXPECT_EQ(pieces.pieces[0].section, ".text");
}

TEST(IsolateTest, KeepsLinkageAndComdatOfWhatIsKept) {
  const Result<OwnedModule> module = only("shared");
  const llvm::Function* shared = (*module)->getFunction("shared");
  EXPECT_TRUE(shared->hasLinkOnceODRLinkage());
  EXPECT_TRUE(shared->hasComdat());
  const Result<OwnedModule> local = only("hidden");
  EXPECT_TRUE((*local)->getFunction("hidden")->hasInternalLinkage());
}

TEST(IsolateTest, GlobalsComeBehindAFiller) {
  const Result<OwnedModule> module = isolateGlobals(bitcode(), 5);
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(verify(**module), "");
  const llvm::GlobalVariable& filler = *(*module)->global_begin();
  EXPECT_EQ((*module)->getDataLayout().getTypeAllocSize(filler.getValueType()), 5u);
  EXPECT_TRUE((*module)->getNamedGlobal("count")->hasInitializer());
  for (const llvm::Function& function : **module) EXPECT_TRUE(function.isDeclaration());
  EXPECT_EQ((*isolateGlobals(bitcode(), 0))->global_size(), 3u);
}

TEST(IsolateTest, AnAliasIsDeclaredWhereverWhatItStandsForIs) {
  const std::string module = bitcode(
      "target triple = \"x86_64-unknown-linux-gnu\"\n"
      "@number = internal global i32 1\n@same = internal alias i32, ptr @number\n"
      "@other = hidden alias void (), ptr @f\ndefine void @f() { ret void }\n"
      "define i32 @g() { call void @other() %n = load i32, ptr @same ret i32 %n }");
  for (const char* name : {"f", "g"}) {
    const Result<OwnedModule> alone = only(name, module);
    ASSERT_TRUE(alone) << alone.error().message;
    EXPECT_EQ(verify(**alone), "");
    EXPECT_TRUE((*alone)->alias_empty());
    EXPECT_TRUE((*alone)->getFunction("other")->isDeclaration());
    EXPECT_TRUE((*alone)->getFunction("other")->hasHiddenVisibility());
    EXPECT_TRUE((*alone)->getNamedGlobal("same")->hasHiddenVisibility());
  }
}

TEST(IsolateTest, RefusesWhatItCannotTakeApart) {
  const std::string ifunc = bitcode(
      "target triple = \"x86_64-unknown-linux-gnu\"\n"
      "@other = ifunc void (), ptr @f\ndefine ptr @f() { ret ptr null }");
  EXPECT_EQ(only("f", ifunc).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(only("f", "BC\xC0\xDE nonsense").error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::ir
