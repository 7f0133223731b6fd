#include "llvm/ir/spoken.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

using testing::HasSubstr;

std::string spokenOf(const std::string& text) {
  const Result<OwnedModule> module = parse(text, "test");
  EXPECT_TRUE(module) << text;
  return module ? mayBeSpokenOf(**module) : "";
}

std::string loopWith(const char* property) {
  return fmt::format(
      "define void @spin() {{\n br label %l\nl:\n br label %l, !llvm.loop !0\n}}\n"
      "!0 = distinct !{{!0, !1, !2}}\n!1 = !{{!\"llvm.loop.mustprogress\"}}\n!2 = !{{{}}}\n",
      property);
}

TEST(SpokenTest, LimitsOfFramesAndCallsThatShouldNotRemainAreReported) {
  EXPECT_THAT(spokenOf("define void @f() \"warn-stack-size\"=\"100\" {\n ret void\n}"),
              HasSubstr("-Wframe-larger-than"));
  EXPECT_THAT(spokenOf("declare void @gone() \"dontcall-warn\"=\"no\""), HasSubstr("gone"));
  EXPECT_THAT(spokenOf("declare void @gone() \"dontcall-error\"=\"no\""), HasSubstr("gone"));
  EXPECT_EQ(spokenOf("define void @f() minsize \"frame-pointer\"=\"all\" {\n ret void\n}"), "");
}

TEST(SpokenTest, SoAreLoopsOfWhichSomethingIsAsked) {
  for (const char* asked : {"!\"llvm.loop.vectorize.enable\", i1 true", "!\"llvm.loop.unroll.full\"",
                            "!\"llvm.loop.unroll.count\", i32 4", "!\"llvm.loop.interleave.count\", i32 2",
                            "!\"llvm.loop.distribute.enable\", i1 true"})
    EXPECT_THAT(spokenOf(loopWith(asked)), HasSubstr("spin")) << asked;
  for (const char* unasked : {"!\"llvm.loop.unroll.disable\"", "!\"llvm.loop.vectorize.enable\", i1 false"})
    EXPECT_EQ(spokenOf(loopWith(unasked)), "") << unasked;
}

}  // namespace
}  // namespace ordo::ir
