#include "llvm/ir/assembly.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

std::string inModule(const std::string& text) {
  const Result<OwnedModule> module = parse(text, "test");
  EXPECT_TRUE(module) << text;
  return module ? notUnderstood(**module) : "";
}

// Of a function with this assembly, which has one operand, and of what is beside it.
std::string inFunction(const std::string& assembly, const std::string& beside = "") {
  return inModule(beside + "define void @f(ptr %p) {\n call void asm sideeffect \"" + assembly +
                  "\", \"i,r\"(i32 1, ptr %p)\n ret void\n}");
}

TEST(AssemblyTest, WhatReadsFilesOrSpeaksIsFound) {
  EXPECT_EQ(notUnderstood("a: .incbin \"x\""), ".incbin");
  EXPECT_EQ(notUnderstood("nop; .INCLUDE \"x\""), ".INCLUDE");
  EXPECT_EQ(notUnderstood(".print \"hello\""), ".print");
  EXPECT_EQ(notUnderstood("/* */ .incbin \"x\""), ".incbin");
  EXPECT_EQ(notUnderstood("\".incbin\" \"x\""), ".incbin");
  EXPECT_EQ(notUnderstood(".directive_of_next_year"), ".directive_of_next_year");
}

TEST(AssemblyTest, NobodyPutsADirectiveTogether) {
  EXPECT_EQ(notUnderstood(".macro m a\n.\\a \"x\"\n.endm\nm incbin"), ".macro");
  EXPECT_EQ(notUnderstood(".irp d,incbin\n.\\d \"x\"\n.endr"), ".irp");
  EXPECT_EQ(notUnderstood(".altmacro\n.macro nops\nnop\n.endm"), ".altmacro");
  EXPECT_EQ(inFunction(".in$(c$|c$)bin \\22x\\22"), ".incbin");
  EXPECT_EQ(inFunction("$(.$|.$)incbin \\22x\\22"), ".incbin");
  EXPECT_EQ(inFunction("$(nop$|.incbin \\22x\\22$)"), ".incbin");
  for (const char* operand : {"$0", "${0:c}", "${0:P}"}) {
    EXPECT_EQ(inFunction(std::string(".") + operand), ".…") << operand;
    EXPECT_EQ(inFunction(std::string(".i") + operand + "bin \\22x\\22"), ".i…") << operand;
    EXPECT_EQ(inFunction(std::string(operand) + ".incbin \\22x\\22"), ".incbin") << operand;
  }
}

TEST(AssemblyTest, AnOperandsNameMayBeADirective) {
  const std::string text = "${0:c} \\22x\\22";
  EXPECT_EQ(inFunction(text, "@.incbin = external global i8\n"), ".incbin");
  EXPECT_EQ(inFunction(text, "@\"\\01.incbin\" = external global i8\n"), "\1.incbin");
  EXPECT_EQ(inFunction(text, "@\"a\\0A.incbin\" = external global i8\n"), "a\n.incbin");
  EXPECT_EQ(inFunction(text, "declare void @.incbin()\n"), ".incbin");
  EXPECT_EQ(inFunction("nop", "declare void @.incbin()\n"), "");
  EXPECT_EQ(inFunction(text, "@.str = private constant i8 0\n@.compoundliteral = internal global i8 0\n"),
            "");
  EXPECT_EQ(
      inFunction(text,
                 "@\"gr\\C3\\B6\\C3\\9Fe\" = global i8 0\n@_ZN1a1bE = global i8 0\n@f.x = global i8 0\n"),
      "");
}

TEST(AssemblyTest, OrdinaryAssemblyIsNotSuspected) {
  for (const char* text : {"",
                           "nop",
                           ".symver f, f@V1",
                           ".pushsection .text.x,\"ax\"\n.popsection",
                           ".section \".init.text\"",
                           ".section .note.GNU-stack,\"\",@progbits",
                           "1: .long 1b - .",
                           ".macro nops\nnop\n.endm",
                           ".ascii \"\\n\"",
                           ".Lhere: jmp .Lhere",
                           "b.eq 1f",
                           "call .L1",
                           ". = . + 4",
                           ".size f, .-f",
                           ".cfi_adjust_cfa_offset 8",
                           "fadd v0.4s, v1.4s, v2.4s",
                           ".rept 4\nnop\n.endr",
                           ".set a, b + .5",
                           ".arch_extension lse",
                           "# a comment\nnop"})
    EXPECT_EQ(notUnderstood(text), "") << text;
  for (const char* text : {"mov$(l$)\\09$($0, $1$|$1, $0$)", ".Lhere${:uid}: jmp .Lhere${:uid}",
                           ".pushsection .text.$0\\0A.popsection", "fadd $1.4s, $1.4s, $1.4s", "dup $1.s[0]",
                           ".long $$5, ${0:c} - .", "call ${0:P}", "$0: nop"})
    EXPECT_EQ(inFunction(text), "") << text;
}

TEST(AssemblyTest, AllAssemblyOfAModuleCounts) {
  EXPECT_EQ(inModule("module asm \".incbin \\22x\\22\""), ".incbin");
  EXPECT_EQ(inModule("module asm \"movl $0, %eax\"\n@.incbin = global i8 0"), "");
  EXPECT_EQ(
      inModule("define void @f() {\n call void asm sideeffect \".include \\22x\\22\", \"\"()\n ret void\n}"),
      ".include");
  EXPECT_EQ(inModule("define void @f() {\n call void asm sideeffect \"nop\", \"\"()\n ret void\n}"), "");
}

}  // namespace
}  // namespace ordo::ir
