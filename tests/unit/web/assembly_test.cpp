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

TEST(AssemblyTest, OfNothingAndOfBrokenTextThereIsNothing) {
  EXPECT_TRUE(splitAssembly("").empty());
  EXPECT_TRUE(splitAssembly("\t.type\tone,@function").empty());
  EXPECT_TRUE(splitAssembly(":\n.Lfunc_end0:\n\n").empty());
}

}  // namespace
}  // namespace ordo::web
