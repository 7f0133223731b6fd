#include "frontend/opt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/clang.h"
#include "support/files.h"

namespace ordo::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(OptTest, TheCommandCarriesWhatThePassesDependOn) {
  const Pipeline pipeline{"default<O3>", {"-unroll-threshold-default=300"}};
  CodegenFlags codegen;
  codegen.relocation = "static";
  codegen.code_model = "large";
  codegen.llvm_flags = {"-inline-threshold=7"};
  EXPECT_THAT(optCommand(pipeline, codegen, "in.bc", "out.bc"),
              ElementsAre("opt-22", "-relocation-model=static", "-code-model=large", "-inline-threshold=7",
                          "-unroll-threshold-default=300", "-passes=default<O3>", "in.bc", "-o", "out.bc"));
}

TEST(OptTest, RunsThePassesOverBitcodeInMemory) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a.ll", "define i32 @f() {\n %x = add i32 1, 2\n ret i32 %x\n}\n"));
  const auto input = compileToBitcode({"a.ll", "ir", {}, dir.path()}, Level::kOz);
  ASSERT_TRUE(input) << input.error().message;
  const auto output = runOpt(input->bytes, {"function(instsimplify)", {}}, CodegenFlags{});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_LT(output->size(), input->bytes.size());
}

TEST(OptTest, UnknownPassesAndBrokenBitcodeAreReportedInTheWordsOfOpt) {
  const auto pass = runOpt("BC\xC0\xDE", {"no-such-pass", {}}, CodegenFlags{});
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(pass.error().message, HasSubstr("opt-22 rejected the program:"));
}

TEST(OptTest, TextSizeCountsCodeAndConstants) {
  const TempDir dir = *TempDir::create();
  // No unwind tables, so that nothing but what is written here is counted.
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "const char table[1000] = {1};\n"));
  const auto object = compileStock({"a.c", "c", {"-fno-asynchronous-unwind-tables"}, dir.path()}, Level::kOz);
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(textSize(object->bytes).value(), 1000u);
}

TEST(OptTest, ASizeOfSomethingElseIsAnError) { EXPECT_FALSE(textSize("not an object")); }

}  // namespace
}  // namespace ordo::frontend
