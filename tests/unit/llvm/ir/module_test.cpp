#include "llvm/ir/module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include "support/process.h"

namespace ordo::ir {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kTriple = "target triple = \"x86_64-pc-linux-gnu\"\n";

constexpr std::string_view kSum = R"(
define i32 @sum(ptr %values, i32 %count) {
entry:
  %none = icmp slt i32 %count, 1
  br i1 %none, label %done, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %address = getelementptr i32, ptr %values, i32 %i
  %value = load i32, ptr %address
  %more = add i32 %sum, %value
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %count
  br i1 %last, label %done, label %loop
done:
  %result = phi i32 [ 0, %entry ], [ %more, %loop ]
  ret i32 %result
}
)";

OwnedModule parsed(std::string_view text) {
  Result<OwnedModule> module = parse(text, "sample.ll");
  EXPECT_TRUE(module) << module.error().message;
  return *std::move(module);
}

std::string bitcodeOf(std::string_view text) { return writeBitcode(*parsed(text)); }

Error errorOf(std::string_view bytes) {
  const Result<OwnedModule> module = parse(bytes, "input");
  EXPECT_FALSE(module);
  return module ? Error{} : module.error();
}

TEST(ModuleTest, TextAndBitcodeOfOneProgramAreTheSameModule) {
  const std::string bitcode = bitcodeOf(kSum);
  EXPECT_THAT(bitcode, testing::StartsWith("BC\xC0\xDE"));
  const Result<OwnedModule> again = parse(bitcode, "sample.bc");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(writeBitcode(**again), bitcode);
}

TEST(ModuleTest, LocalNamesAreDroppedAndGlobalNamesKept) {
  EXPECT_THAT(print(*parsed(kSum)),
              AllOf(HasSubstr("@sum"), Not(HasSubstr("%values")), Not(HasSubstr("loop:"))));
  std::string renamed(kSum);
  for (std::size_t at; (at = renamed.find("%sum")) != std::string::npos;) renamed.replace(at, 4, "%acc");
  EXPECT_EQ(hashBitcode(bitcodeOf(renamed)), hashBitcode(bitcodeOf(kSum)));
}

TEST(ModuleTest, DebugInfoIsKept) {
  const auto run = runProcess({"clang-22", "-O1", "-g", "-x", "c", "-emit-llvm", "-c", "-", "-o", "-"},
                              {.input = "int twice(int x) { return 2 * x; }", .dir = {}});
  ASSERT_TRUE(run && run->ok());
  EXPECT_THAT(print(*parsed(run->out)), AllOf(HasSubstr("!DILocalVariable"), HasSubstr("#dbg_value")));
}

TEST(ModuleTest, WhatIsNoModuleIsCorruptAndSaysWhy) {
  const std::string bitcode = bitcodeOf(kSum);
  EXPECT_EQ(errorOf("this is not IR").code, ErrorCode::kCorrupt);
  EXPECT_THAT(errorOf("this is not IR").message,
              HasSubstr("input:1:1: not valid LLVM IR: expected top-level entity"));
  EXPECT_THAT(errorOf("define i32 @f() {\n  ret i64 0\n}\n").message,
              HasSubstr("input:2:7: not valid LLVM IR: value doesn't match function result type"));
  for (const std::size_t size :
       {std::size_t{4}, std::size_t{5}, bitcode.size() / 2 & ~std::size_t{3}, bitcode.size() - 4}) {
    const Error error = errorOf(std::string_view(bitcode).substr(0, size));
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << size;
    EXPECT_THAT(error.message, AllOf(HasSubstr("input is not valid LLVM 22 bitcode: "), Not(HasSubstr("\n"))))
        << size;
  }
  // Another file's magic number makes it text, and no text starts like that.
  EXPECT_THAT(errorOf("\177ELF\2\1\1").message, HasSubstr("not valid LLVM IR"));
}

// llvm-as says so too: no declarations is a valid module. What cannot be tuned in it is for others to say.
TEST(ModuleTest, AnEmptyTextIsAnEmptyModule) { EXPECT_TRUE((*parsed("")).empty()); }

TEST(ModuleTest, TheDataLayoutIsThatOfTheTargetUnlessGiven) {
  EXPECT_EQ(parsed(kTriple)->getDataLayout().getPointerABIAlignment(0), llvm::Align(8));
  EXPECT_THAT(parsed(kTriple)->getDataLayoutStr(), HasSubstr("m:e"));
  EXPECT_THAT(parsed("target datalayout = \"e-i64:32\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n")
                  ->getDataLayoutStr(),
              testing::StartsWith("e-i64:32"));
  EXPECT_EQ(parsed("")->getDataLayoutStr(), "");
}

// Passes and the code generator walk uses in their order, which is no part of the IR.
TEST(ModuleTest, ExactBitcodeKeepsTheOrderOfUsesAndTheHashDoesNotSeeIt) {
  const OwnedModule module = parsed(kSum);
  const auto usersOfCount = [](const OwnedModule& m) {
    std::vector<unsigned> opcodes;
    for (const llvm::User* user : m->getFunction("sum")->getArg(1)->users()) {
      opcodes.push_back(llvm::cast<llvm::CmpInst>(user)->getPredicate());
    }
    return opcodes;
  };
  const std::vector<unsigned> before = usersOfCount(module);
  module->getFunction("sum")->getArg(1)->reverseUseList();
  const std::vector<unsigned> reversed = usersOfCount(module);
  ASSERT_NE(reversed, before);
  EXPECT_EQ(usersOfCount(parsed(writeExactBitcode(*module))), reversed);
  EXPECT_EQ(usersOfCount(parsed(writeBitcode(*module))), before);
  EXPECT_EQ(writeBitcode(*module), bitcodeOf(kSum));
}

TEST(ModuleTest, TheHashIsStableAcrossWritingAndReading) {
  std::string bitcode = bitcodeOf(std::string(kTriple) + std::string(kSum));
  for (int i = 0; i < 3; ++i) {
    const std::string again = writeBitcode(*parsed(bitcode));
    EXPECT_EQ(hashBitcode(again), hashBitcode(bitcode));
    bitcode = again;
  }
}

// Reading sets the attributes of intrinsics anew, so they must not count; and writing only looks.
TEST(ModuleTest, TheHashAsReadIsThatOfAnyoneWhoReadsIt) {
  const OwnedModule module = *parse(std::string(kTriple) + std::string(kSum), "sum");
  const OwnedModule read = *parse(writeExactBitcode(*module), "sum");
  EXPECT_EQ(*hashAsRead(*module), hashBitcode(writeBitcode(*read)));
  EXPECT_EQ(*hashAsRead(*read), *hashAsRead(*module));
}

TEST(ModuleTest, TheHashDoesNotSeeAttributesThatReadingDrops) {
  const OwnedModule module = parsed(
      "define i8 @f(i8 %x) {\n  %y = call i8 @llvm.abs.i8(i8 %x, i1 false)\n  ret i8 %y\n}\n"
      "declare i8 @llvm.abs.i8(i8, i1)\n");
  llvm::Function& intrinsic = *module->getFunction("llvm.abs.i8");
  const std::string before = writeBitcode(*module);
  intrinsic.addFnAttr(llvm::Attribute::MinSize);
  EXPECT_EQ(writeBitcode(*module), before);
  EXPECT_TRUE(intrinsic.hasFnAttribute(llvm::Attribute::MinSize));
  EXPECT_EQ(writeBitcode(*parsed(writeExactBitcode(*module))), before);
}

TEST(ModuleTest, VerifyComplainsInOneLine) {
  const OwnedModule module = parsed("define void @f() {\n  ret void\n}\n");
  EXPECT_THAT(verify(*module), IsEmpty());
  module->getFunction("f")->begin()->getTerminator()->eraseFromParent();
  EXPECT_THAT(verify(*module), AllOf(HasSubstr("does not have terminator"), Not(HasSubstr("\n"))));
}

TEST(ModuleTest, AMovedOverModuleDiesBeforeItsContext) {
  OwnedModule module = parsed(kSum);
  module = parsed("define void @f() {\n  ret void\n}\n");
  EXPECT_NE(module->getFunction("f"), nullptr);
}

std::string difference(std::string_view before, std::string_view after) {
  return Interface(*parsed(before)).compare(*parsed(after));
}

constexpr std::string_view kTwo = "define void @f() {\n ret void\n}\ndefine void @g() {\n ret void\n}\n";

TEST(InterfaceTest, TheSameDefinitionsInAnyOrderAreNoDifference) {
  EXPECT_THAT(difference(kTwo, kTwo), IsEmpty());
  EXPECT_THAT(difference(kTwo, "define void @g() {\n ret void\n}\ndefine void @f() {\n unreachable\n}\n"),
              IsEmpty());
}

TEST(InterfaceTest, ADefinitionThatIsGoneIsNamed) {
  for (const std::string_view left :
       {"", "declare void @g()\n", "define internal void @g() {\n ret void\n}\n",
        "define available_externally void @g() {\n ret void\n}\n",
        "define linkonce_odr void @g() {\n ret void\n}\n"}) {
    EXPECT_EQ(difference(kTwo, "define void @f() {\n ret void\n}\n" + std::string(left)),
              "the definition of g is gone or has another linkage");
  }
  EXPECT_EQ(difference("@table = global i32 1\n", ""),
            "the definition of table is gone or has another linkage");
}

TEST(InterfaceTest, ANewDefinitionIsNamed) {
  EXPECT_EQ(difference("define void @f() {\n ret void\n}\n", kTwo), "g was not defined before");
}

TEST(InterfaceTest, StrongAndWeakAreNotTheSame) {
  const std::string weak = "define void @f() {\n ret void\n}\ndefine weak_odr void @g() {\n ret void\n}\n";
  EXPECT_EQ(difference(kTwo, weak), "the definition of g is gone or has another linkage");
  EXPECT_EQ(difference(weak, kTwo), "the definition of g (weak) is gone or has another linkage");
}

TEST(InterfaceTest, WhatNobodyElseReliesOnMayGoAndCome) {
  for (const std::string_view linkage :
       {"internal", "private", "linkonce_odr", "linkonce", "available_externally"}) {
    const std::string more = fmt::format("{}define {} void @h() {{\n ret void\n}}\n", kTwo, linkage);
    EXPECT_THAT(difference(more, kTwo), IsEmpty()) << linkage;
    EXPECT_THAT(difference(kTwo, more), IsEmpty()) << linkage;
  }
}

TEST(InterfaceTest, AnAliasMayStandInForAFunction) {
  EXPECT_THAT(difference(kTwo, "define void @f() {\n ret void\n}\n@g = alias void (), ptr @f\n"), IsEmpty());
}

std::string calling(std::string_view callee) {
  return fmt::format("define void @f() {{\n call void @{0}()\n ret void\n}}\ndeclare void @{0}()\n", callee);
}

TEST(InterfaceTest, ANewNeedIsNamedUnlessItIsALibraryFunction) {
  const std::string plain = "define void @f() {\n ret void\n}\n";
  EXPECT_EQ(difference(plain, calling("__asan_init")), "__asan_init is needed and nothing defines it");
  for (const char* library : {"memset", "puts", "putchar", "fwrite", "exp2", "llvm.trap"}) {
    EXPECT_THAT(difference(plain, calling(library)), IsEmpty()) << library;
  }
  // A declaration that nothing uses does not reach the linker.
  EXPECT_THAT(difference(plain, plain + "declare void @__asan_init()\n"), IsEmpty());
}

TEST(InterfaceTest, AnOldNeedMayStayOrGo) {
  EXPECT_THAT(difference(calling("helper"), calling("helper")), IsEmpty());
  EXPECT_THAT(difference(calling("helper"), "define void @f() {\n ret void\n}\n"), IsEmpty());
  // The body that inlining used up was a copy: the definition is elsewhere, before and after.
  const std::string copy =
      "define void @f() {\n call void @h()\n ret void\n}\n"
      "define available_externally void @h() {\n ret void\n}\n";
  EXPECT_THAT(difference(copy, calling("h")), IsEmpty());
}

TEST(InterfaceTest, NeedingALinkonceDefinitionThatWasDroppedIsADifference) {
  const std::string own =
      "define void @f() {\n call void @h()\n ret void\n}\n"
      "define linkonce_odr void @h() {\n ret void\n}\n";
  EXPECT_EQ(difference(own, calling("h")), "h is needed and nothing defines it");
}

// As libstdc++ has them: nobody has made code of g, every caller inlines it.
constexpr std::string_view kOnlyForInlining =
    "define available_externally i32 @g(i32 %x) #0 {\n ret i32 %x\n}\nattributes #0 = { alwaysinline }\n";

std::string withCaller(std::string_view linkage) {
  return fmt::format("{}define {} i32 @f(i32 %x) {{\n %r = call i32 @g(i32 %x)\n ret i32 %r\n}}\n",
                     kOnlyForInlining, linkage);
}

TEST(InterfaceTest, CallsThatMustBeInlinedAreNeedsOfTheirCallersCode) {
  for (const std::string_view linkage : {"", "internal", "linkonce_odr", "weak_odr"}) {
    const OwnedModule module = parsed(withCaller(linkage));
    EXPECT_TRUE(mustInline(*module)) << linkage;
    EXPECT_EQ(Interface(*module).compare(*module), "g is needed and nothing defines it") << linkage;
  }
  EXPECT_FALSE(mustInline(*parsed(kOnlyForInlining)));
}

// No code is made of it, whoever it calls; what it calls may come to be called by who inlines it.
TEST(InterfaceTest, ACopyOfSomebodyElsesCodeNeedsNothing) {
  const OwnedModule copy = parsed(withCaller("available_externally"));
  EXPECT_FALSE(mustInline(*copy));
  EXPECT_THAT(Interface(*copy).compare(*copy), IsEmpty());
  const std::string before =
      "define void @f() {\n call void @h()\n ret void\n}\n"
      "define available_externally void @h() {\n call void @deep()\n ret void\n}\ndeclare void @deep()\n";
  EXPECT_THAT(difference(before, calling("deep")), IsEmpty());
}

TEST(InterfaceTest, AddressesInVariablesAreNeedsToo) {
  const std::string plain = "@table = global [2 x ptr] zeroinitializer\n";
  const std::string table = "@table = global [2 x ptr] [ptr null, ptr @helper]\ndeclare void @helper()\n";
  EXPECT_EQ(difference(plain, table), "helper is needed and nothing defines it");
  EXPECT_THAT(difference(plain,
                         "@table = global [2 x ptr] zeroinitializer\n"
                         "@copy = available_externally constant ptr @helper\ndeclare void @helper()\n"),
              IsEmpty());
}

// glibc's fortified functions are like that, and do exist.
TEST(InterfaceTest, LibraryFunctionsNeedNotBeInlined) {
  const OwnedModule module = parsed(
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "define available_externally i32 @puts(ptr %x) #0 {\n ret i32 0\n}\n"
      "define i32 @f(ptr %x) {\n %r = call i32 @puts(ptr %x)\n ret i32 %r\n}\nattributes #0 = { alwaysinline "
      "}\n");
  EXPECT_FALSE(mustInline(*module));
  EXPECT_THAT(Interface(*module).compare(*module), IsEmpty());
}

}  // namespace
}  // namespace ordo::ir
