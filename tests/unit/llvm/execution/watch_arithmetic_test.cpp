#include "llvm/execution/watch_arithmetic.h"

#include <gmock/gmock.h>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

// A function that computes `operation` on constants, so that no input can help.
std::string of(std::string_view operation, std::string_view type = "i8") {
  return problemOf(fmt::format("define {} @f() {{ %r = {}  ret {} %r }}", type, operation, type));
}

TEST(WatchArithmeticTest, NoticesWhatMakesPoison) {
  for (const char* operation : {"add nsw i8 100, 100",
                                "add nuw i8 200, 100",
                                "sub nsw i8 -100, 100",
                                "sub nuw i8 1, 2",
                                "mul nsw i8 100, 2",
                                "mul nuw i8 100, 3",
                                "shl i8 1, 8",
                                "shl nsw i8 64, 1",
                                "shl nuw i8 128, 1",
                                "lshr exact i8 3, 1",
                                "ashr i8 3, 9",
                                "udiv i8 1, 0",
                                "sdiv i8 -128, -1",
                                "srem i8 -128, -1",
                                "urem i8 1, 0",
                                "sdiv exact i8 3, 2",
                                "trunc nuw i16 300 to i8",
                                "trunc nsw i16 200 to i8",
                                "zext nneg i4 -1 to i8",
                                "or disjoint i8 3, 1",
                                "fptosi double 200.0 to i8",
                                "fptoui double -1.0 to i8",
                                "fptosi double 0x7FF8000000000000 to i8"}) {
    EXPECT_THAT(of(operation), HasSubstr("undefined")) << operation;
  }
}

TEST(WatchArithmeticTest, LetsTheRestPass) {
  for (const char* operation :
       {"add nsw i8 100, 27", "add i8 100, 100", "sub nuw i8 2, 2", "mul nsw i8 64, -2", "shl i8 1, 7",
        "shl nsw i8 -64, 1", "lshr exact i8 2, 1", "sdiv i8 -128, 1", "sdiv exact i8 4, 2",
        "trunc nuw i16 255 to i8", "trunc nsw i16 -128 to i8", "zext nneg i4 7 to i8", "or disjoint i8 2, 1",
        "fptosi double -128.9 to i8", "fptoui double -0.5 to i8", "fptoui double 255.5 to i8"}) {
    EXPECT_EQ(of(operation), "") << operation;
  }
}

TEST(WatchArithmeticTest, KnowsIntrinsicsAndVectors) {
  constexpr std::string_view kDeclarations =
      "declare i8 @llvm.ctlz.i8(i8, i1)\ndeclare i8 @llvm.abs.i8(i8, i1)\ndeclare void @llvm.assume(i1)\n";
  const auto with = [&](std::string_view body) {
    return problemOf(fmt::format("define i8 @f() {{ {} }}\n{}", body, kDeclarations));
  };
  EXPECT_THAT(with("%r = call i8 @llvm.ctlz.i8(i8 0, i1 true)  ret i8 %r"), HasSubstr("undefined"));
  EXPECT_EQ(with("%r = call i8 @llvm.ctlz.i8(i8 0, i1 false)  ret i8 %r"), "");
  EXPECT_THAT(with("%r = call i8 @llvm.abs.i8(i8 -128, i1 true)  ret i8 %r"), HasSubstr("undefined"));
  EXPECT_THAT(with("call void @llvm.assume(i1 false)  ret i8 1"), HasSubstr("undefined"));
  EXPECT_THAT(with("%v = add nsw <2 x i8> <i8 1, i8 100>, <i8 1, i8 100>  %r = extractelement <2 x i8> %v, "
                   "i32 0  ret i8 %r"),
              HasSubstr("undefined"));
}

TEST(WatchArithmeticTest, SkipsWhatMayBeReassociated) {
  EXPECT_THAT(problemOf("define float @f(float %x) { %r = fadd fast float %x, %x  ret float %r }"),
              HasSubstr("reordered"));
  EXPECT_EQ(problemOf("define float @f(float %x) { %r = fadd float %x, %x  ret float %r }"), "");
}

}  // namespace
}  // namespace ordo::execution
