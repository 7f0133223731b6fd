#include "llvm/execution/watch.h"

#include <gmock/gmock.h>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

TEST(WatchTest, NoticesMemoryThatMayNotBeUsed) {
  EXPECT_THAT(problemOf("define i32 @f() { %p = alloca i32  %r = load i32, ptr %p  ret i32 %r }"),
              HasSubstr("never written"));
  EXPECT_THAT(
      problemOf(
          "define i32 @f() { %p = alloca i32  store i32 1, ptr %p  %q = getelementptr i32, ptr %p, i64 3\n"
          "%r = load i32, ptr %q  ret i32 %r }"),
      HasSubstr("outside of objects"));
  EXPECT_THAT(
      problemOf(
          "define i32 @f() { %p = call ptr @malloc(i64 4)  store i32 1, ptr %p  call void @free(ptr %p)\n"
          "%r = load i32, ptr %p  ret i32 %r }\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)"),
      HasSubstr("gone"));
  EXPECT_THAT(problemOf("@c = constant i32 3\ndefine void @f() { store i32 1, ptr @c  ret void }"),
              HasSubstr("constant"));
  EXPECT_THAT(problemOf("define i32 @f() { %r = load i32, ptr null  ret i32 %r }"),
              HasSubstr("outside of objects"));
}

TEST(WatchTest, NoticesALocalOutOfItsScope) {
  EXPECT_THAT(problemOf(R"(
define i32 @f() {
  %p = alloca i32
  call void @llvm.lifetime.start.p0(ptr %p)
  store i32 1, ptr %p
  call void @llvm.lifetime.end.p0(ptr %p)
  %r = load i32, ptr %p
  ret i32 %r
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr))"),
              HasSubstr("gone"));
}

TEST(WatchTest, HoldsCodeToItsPromises) {
  EXPECT_THAT(problemOf("@g = global i8 9\ndefine i8 @f() { %r = load i8, ptr @g, !range !0  ret i8 %r }\n!0 "
                        "= !{i8 0, i8 2}"),
              testing::AnyOf(HasSubstr("promise"), testing::IsEmpty()));
  EXPECT_THAT(problemOf("define i32 @f() { %r = call i32 @g(ptr null)  ret i32 %r }\n"
                        "define internal i32 @g(ptr nonnull %p) { ret i32 1 }"),
              HasSubstr("promise about a pointer"));
  EXPECT_THAT(problemOf("define i32 @f() { unreachable }"), HasSubstr("unreachable"));
}

// What is compared must work under watch as well: values by pointer, dynamic locals, calls through pointers.
TEST(WatchTest, LeavesWhatIsDefinedAsItWas) {
  EXPECT_EQ(problemOf(R"(
define i32 @f(i32 %n) {
  %size = and i32 %n, 15
  %p = alloca i32, i32 16
  %at = getelementptr inbounds i32, ptr %p, i32 %size
  store i32 %n, ptr %at
  %r = call i32 @byval(ptr byval(i32) %at)
  ret i32 %r
}
@callee = internal global ptr @twice
define internal i32 @byval(ptr byval(i32) %p) {
  %v = load i32, ptr %p
  store i32 0, ptr %p
  %c = load ptr, ptr @callee
  %r = call i32 %c(i32 %v)
  ret i32 %r
}
define internal i32 @twice(i32 %v) { %r = add i32 %v, %v  ret i32 %r })"),
            "");
}

}  // namespace
}  // namespace ordo::execution
