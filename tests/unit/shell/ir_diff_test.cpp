#include "shell/ir_diff.h"

#include <gmock/gmock.h>

namespace ordo::shell {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBefore = R"(source_filename = "a.c"
@x = global i32 0

; Function Attrs: nounwind
define i32 @one(i32 %0) #0 {
  %2 = add i32 %0, 1
  %3 = mul i32 %2, 2
  ret i32 %3
}

define void @"a b"() {
  ret void
}

declare void @g()
)";

constexpr const char* kAfter = R"(source_filename = "a.c"
@x = global i32 0

; Function Attrs: nounwind
define i32 @one(i32 %0) #1 {
  %2 = mul i32 %0, 2
  ret i32 %2
}

define void @"a b"() {
  ret void
}

declare void @g()
)";

TEST(IrDiffTest, SplitsFunctionsFromWhatIsOutside) {
  const std::vector<IrPart> parts = splitIr(kBefore);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].lines.size(), 3u) << "two globals and a declaration";
  EXPECT_EQ(parts[1].name, "one");
  EXPECT_EQ(parts[1].lines.front(), "; Function Attrs: nounwind");
  EXPECT_EQ(parts[1].lines.back(), "}");
  EXPECT_EQ(parts[2].name, "a b");
  EXPECT_EQ(splitIr("toy 3 seed 7").front().lines.size(), 1u);
}

TEST(IrDiffTest, OnlyWhatChangedIsShownAndNumbersDoNotCount) {
  const IrDiff diff = diffIr(kBefore, kAfter, {}, {});
  ASSERT_EQ(diff.parts.size(), 1u);
  EXPECT_EQ(diff.parts[0].name, "one");
  EXPECT_EQ(diff.parts[0].removed, 1u);
  EXPECT_EQ(diff.parts[0].added, 0u);
  EXPECT_EQ(diff.parts[0].text,
            "@@ -1,6 +1,5 @@\n"
            " ; Function Attrs: nounwind\n"
            " define i32 @one(i32 %0) #1 {\n"
            "-  %2 = add i32 %0, 1\n"
            "   %2 = mul i32 %0, 2\n"
            "   ret i32 %2\n"
            " }\n");
}

TEST(IrDiffTest, ExactlyNumbersCountToo) {
  const IrDiff diff = diffIr(kBefore, kAfter, {.exact = true}, {});
  ASSERT_EQ(diff.parts.size(), 1u);
  EXPECT_EQ(diff.parts[0].removed, 4u);
  EXPECT_EQ(diff.parts[0].added, 3u);
}

TEST(IrDiffTest, LabelsAreNumbersToo) {
  const char* before = "define void @f() {\n  br label %1\n\n1:     ; preds = %0\n  ret void\n}\n";
  const char* after = "define void @f() {\n  br label %2\n\n2:           ; preds = %0\n  ret void\n}\n";
  EXPECT_TRUE(diffIr(before, after, {}, {}).parts.empty());
  EXPECT_EQ(diffIr(before, after, {.exact = true}, {}).parts.size(), 1u);
}

TEST(IrDiffTest, WhatIsOutsideComesLastAndMetadataDoesNotCount) {
  const char* before = "@x = global i32 0\ndefine void @f() {\n}\n!1 = !{!2}\n";
  const char* after = "@y = global i32 0\ndefine void @f() {\n  ret void\n}\n!7 = !{}\n";
  const IrDiff diff = diffIr(before, after, {}, {});
  ASSERT_EQ(diff.parts.size(), 2u);
  EXPECT_EQ(diff.parts[0].name, "f");
  EXPECT_EQ(diff.parts[1].name, "");
  EXPECT_EQ(diff.parts[1].added, 1u);
  EXPECT_EQ(diffIr(before, after, {.exact = true}, {}).parts[1].added, 2u);
}

TEST(IrDiffTest, FunctionsThatComeAndGoAreWholeChanges) {
  const IrDiff diff = diffIr("define void @f() {\n}\n", "define void @g() {\n}\n", {}, {});
  ASSERT_EQ(diff.parts.size(), 2u);
  EXPECT_EQ(diff.parts[0].name, "f");
  EXPECT_EQ(diff.parts[0].removed, 2u);
  EXPECT_EQ(diff.parts[1].name, "g");
  EXPECT_EQ(diff.parts[1].added, 2u);
}

TEST(IrDiffTest, WhatIsCutIsCounted) {
  const IrDiff diff = diffIr("a\nb\nc\n", "d\ne\nf\n", {.max_lines = 3}, {});
  ASSERT_EQ(diff.parts.size(), 1u);
  EXPECT_EQ(diff.parts[0].text, "@@ -1,3 +1,3 @@\n-a\n-b\n");
  EXPECT_EQ(diff.lines_left_out, 4u);
}

TEST(IrDiffTest, ColoursAreThereIfAskedFor) {
  Style style;
  style.color = true;
  EXPECT_THAT(diffIr("a\n", "b\n", {}, style).parts[0].text, HasSubstr("\033[31m-a\033[0m"));
  EXPECT_THAT(diffIr("a\n", "b\n", {}, {}).parts[0].text, Not(HasSubstr("\033")));
}

}  // namespace
}  // namespace ordo::shell
