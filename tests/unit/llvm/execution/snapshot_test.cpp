#include "llvm/execution/snapshot.h"

#include <gmock/gmock.h>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

TEST(SnapshotTest, NansAreAlikeAndZerosAreNot) {
  constexpr std::string_view kNan = "define double @f() { %r = fdiv double 0.0, 0.0  ret double %r }";
  EXPECT_EQ(compareOne(kNan, "define double @f() { ret double 0x7FF8000000000123 }").verdict,
            Verdict::kEqual);
  EXPECT_EQ(
      compareOne("define double @f() { ret double 0.0 }", "define double @f() { ret double -0.0 }").verdict,
      Verdict::kWrong);
}

TEST(SnapshotTest, ComparesVariablesThatOthersSee) {
  constexpr std::string_view kOriginal =
      "@g = global i32 0\ndefine void @f() { store i32 3, ptr @g  ret void }";
  const auto report = compareOne(kOriginal, "@g = global i32 0\ndefine void @f() { ret void }");
  EXPECT_EQ(report.verdict, Verdict::kWrong);
  EXPECT_THAT(report.detail, HasSubstr("byte 0 of g"));
  // Nobody sees a local one, and it may go.
  EXPECT_EQ(compareOne("@g = internal global i32 0\ndefine void @f() { store i32 3, ptr @g  ret void }",
                       "define void @f() { ret void }")
                .verdict,
            Verdict::kEqual);
}

TEST(SnapshotTest, PointersIntoTheModuleAreComparedByName) {
  constexpr std::string_view kOriginal =
      "@a = global [4 x i8] zeroinitializer\n@b = global i32 0\n"
      "define ptr @f() { ret ptr getelementptr (i8, ptr @a, i64 1) }";
  EXPECT_EQ(compareOne(kOriginal, kOriginal).verdict, Verdict::kEqual);
  EXPECT_EQ(compareOne(kOriginal,
                       "@a = global [4 x i8] zeroinitializer\n@b = global i32 0\n"
                       "define ptr @f() { ret ptr @b }")
                .verdict,
            Verdict::kWrong);
}

TEST(SnapshotTest, BitsBeyondATypeDoNotCount) {
  EXPECT_EQ(compareOne("define { i1, i64 } @f(i1 %x) { %a = insertvalue { i1, i64 } poison, i1 %x, 0\n"
                       "%b = insertvalue { i1, i64 } %a, i64 4, 1  ret { i1, i64 } %b }",
                       "define { i1, i64 } @f(i1 %x) { %y = xor i1 %x, true  %z = xor i1 %y, true\n"
                       "%a = insertvalue { i1, i64 } poison, i1 %z, 0\n"
                       "%b = insertvalue { i1, i64 } %a, i64 4, 1  ret { i1, i64 } %b }")
                .verdict,
            Verdict::kEqual);
}

}  // namespace
}  // namespace ordo::execution
