#include "web/assembly.h"

#include <gtest/gtest.h>

namespace ordo::web {
namespace {

TEST(AssemblyTest, FunctionsAreTakenApartAndWhatIsForDebuggersIsLeftOut) {
  const std::vector<AssemblyPart> parts = splitAssembly(
      "\t.text\n\t.globl\tone\n\t.type\tone,@function\none:\n\t.cfi_startproc\n# "
      "%bb.0:\n\tretq\n.Lfunc_end0:\n"
      "\t.size\tone, .Lfunc_end0-one\n\t.type\tdata,@object\ndata:\n\t.long\t1\n"
      "\t.type\ttwo.x,@function\ntwo.x:                # "
      "@two.x\n.LBB1_1:\n\tjmp\t.LBB1_1\n.Lfunc_end1:\n\t.ident\t\"x\"");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "one");
  EXPECT_EQ(parts[0].text, "one:\n\tretq\n");
  EXPECT_EQ(parts[1].name, "two.x");
  EXPECT_EQ(parts[1].text, "two.x:                # @two.x\n.LBB1_1:\n\tjmp\t.LBB1_1\n");
}

TEST(AssemblyTest, NamesAreThoseOfTheIrHoweverTheAssemblerQuotesThem) {
  const std::vector<AssemblyPart> parts = splitAssembly(
      "\t.type\t\"gr\xc3\xb6\xc3\x9f"
      "e\",@function\n\"gr\xc3\xb6\xc3\x9f"
      "e\":     # @\"gr\\C3\\B6\\C3\\9Fe\"\n\tretq\n.Lfunc_end0:\n"
      "\t.type\t__unnamed_1,@function           # -- Begin function\n__unnamed_1:  # "
      "@0\n\tretq\n.Lfunc_end1:\n"
      "\t.type\t.Lhidden,@function\n.Lhidden:  # @hidden\n\tretq\n.Lfunc_end2:\n"
      "\t.type\t\"\\\"q\\\"\",@function\n\"\\\"q\\\"\":\n\tretq\n.Lfunc_end3:\n"
      "\t.type\t\"\xff\",@function\n\"\xff\":  # @\"\\FF\"\n\tjmp\t\"\xff\"\n.Lfunc_end4:\n");
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[0].name, "größe");
  EXPECT_EQ(parts[1].name, "0");
  EXPECT_EQ(parts[2].name, "hidden");
  EXPECT_EQ(parts[3].name, "\"q\"") << "without the comment its label says it";
  EXPECT_EQ(parts[4].name, "\\FF");
  EXPECT_EQ(parts[4].text, "\"\\FF\":  # @\"\\FF\"\n\tjmp\t\"\\FF\"\n") << "which is UTF-8";
}

TEST(AssemblyTest, OtherMachinesCommentInOtherWays) {
  const std::vector<AssemblyPart> parts = splitAssembly(
      "\t.type\tone,%function\none:  @ @one\n\tbx\tlr\n.Lfunc_end0:\n"
      "\t.type\ttwo,@function\ntwo:  // @two\n\tret\n.Lfunc_end1:\n");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "one");
  EXPECT_EQ(parts[1].name, "two");
}

TEST(AssemblyTest, OfNothingAndOfBrokenTextThereIsNothing) {
  EXPECT_TRUE(splitAssembly("").empty());
  EXPECT_TRUE(splitAssembly("\t.type\tone,@function").empty());
  EXPECT_TRUE(splitAssembly(":\n.Lfunc_end0:\n\n").empty());
}

}  // namespace
}  // namespace ordo::web
