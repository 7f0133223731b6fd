#include "web/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::web {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CallsTest, DirectCallsAreNamedOnceAndOtherThingsAreNot) {
  const std::vector<Caller> callers = callsIn(
      "@data = global i32 0\n"
      "declare i32 @puts(ptr)\n"
      "define i32 @main(ptr %f) {\n"
      "  %a = tail call i32 @puts(ptr @data)\n"
      "  %b = call i32 %f(ptr @data)\n"
      "  call void @llvm.memcpy.p0(ptr @data)\n"
      "  %c = call i32 @\"odd name\"(i32 1), !dbg !2\n"
      "  %d = call i32 @puts(ptr @data)\n"
      "  ret i32 %a\n"
      "}\n"
      "define i32 @\"odd name\"(i32 %x) {\n"
      "  %y = invoke i32 @main(ptr null) to label %u unwind label %v\n"
      "  ret i32 %x\n"
      "}\n");
  ASSERT_EQ(callers.size(), 2u);
  EXPECT_EQ(callers[0].name, "main");
  EXPECT_THAT(callers[0].callees, ElementsAre("puts", "odd name"));
  EXPECT_EQ(callers[0].lines, 8u);
  EXPECT_EQ(callers[1].name, "odd name");
  EXPECT_THAT(callers[1].callees, ElementsAre("main"));
}

TEST(CallsTest, NamesAreShownAsTheirSourceHasThem) {
  const std::vector<Caller> callers =
      callsIn("define %\"a@b\" @\"gr\\C3\\B6\\C3\\9Fe\"() {\n  call void @\"\\FF\"()\n  ret void\n}\n");
  ASSERT_EQ(callers.size(), 1u);
  EXPECT_EQ(callers[0].name, "größe");
  EXPECT_THAT(callers[0].callees, ElementsAre("\\FF"));
}

TEST(CallsTest, OfNothingAndOfBrokenTextThereIsNothing) {
  EXPECT_THAT(callsIn(""), IsEmpty());
  EXPECT_THAT(callsIn("call @"), IsEmpty());
  EXPECT_THAT(callsIn("define i32 @f() {\n call @\"x\n call void @"), testing::SizeIs(1));
}

}  // namespace
}  // namespace ordo::web
