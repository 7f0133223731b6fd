#include "llvm/ir/assembly.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

std::string inModule(const char* text) {
  const Result<OwnedModule> module = parse(text, "test");
  EXPECT_TRUE(module) << text;
  return module ? directiveFromOutside(**module) : "";
}

TEST(AssemblyTest, WhatReadsFilesOrSpeaksIsFound) {
  EXPECT_EQ(directiveFromOutside("a: .incbin \"x\""), ".incbin");
  EXPECT_EQ(directiveFromOutside("nop; .INCLUDE \"x\""), ".include");
  EXPECT_EQ(directiveFromOutside(".print \"hello\""), ".print");
}

TEST(AssemblyTest, NobodyPutsADirectiveTogether) {
  EXPECT_EQ(directiveFromOutside(".macro m a\n.\\a \"x\"\n.endm\nm incbin"), ".macro");
  EXPECT_EQ(directiveFromOutside(".irp d,incbin\n.\\d \"x\"\n.endr"), ".irp");
  EXPECT_EQ(directiveFromOutside(".${0:c} \"x\""), ".$");
}

TEST(AssemblyTest, OrdinaryAssemblyIsNotSuspected) {
  for (const char* text :
       {"", "nop", "mov{l}\t{$1, $0|$0, $1}", ".symver f, f@V1", ".pushsection .text.x,\"ax\"\n.popsection",
        ".section .note.GNU-stack,\"\",@progbits", "1: .long 1b - .", ".macro nops\nnop\n.endm",
        ".ascii \"\\n\""})
    EXPECT_EQ(directiveFromOutside(text), "") << text;
}

TEST(AssemblyTest, AllAssemblyOfAModuleCounts) {
  EXPECT_EQ(inModule("module asm \".incbin \\22x\\22\""), ".incbin");
  EXPECT_EQ(
      inModule("define void @f() {\n call void asm sideeffect \".include \\22x\\22\", \"\"()\n ret void\n}"),
      ".include");
  EXPECT_EQ(inModule("define void @f() {\n call void asm sideeffect \"nop\", \"\"()\n ret void\n}"), "");
}

}  // namespace
}  // namespace ordo::ir
