#include <gmock/gmock.h>

#include "llvm/execution/library.h"
#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

TEST(LibraryStreamsTest, OutputIsBytesAndNotCalls) {
  constexpr std::string_view kPrintf = R"(
@s = constant [4 x i8] c"hi\0A\00"
define void @f() { call i32 (ptr, ...) @printf(ptr @s)  ret void }
declare i32 @printf(ptr, ...))";
  constexpr std::string_view kPuts = R"(
@s = constant [3 x i8] c"hi\00"
define void @f() { call i32 @puts(ptr @s)  ret void }
declare i32 @puts(ptr))";
  std::string wrong(kPuts);
  wrong.replace(wrong.find("hi"), 2, "ho");
  EXPECT_EQ(compareOne(kPrintf, kPuts).verdict, Verdict::kEqual);
  EXPECT_EQ(compareOne(kPrintf, wrong).verdict, Verdict::kWrong);
}

TEST(LibraryStreamsTest, FilesHaveTheTextOfTheInput) {
  constexpr std::string_view kCount = R"(
define i32 @f() {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %more, %loop ]
  %c = call i32 @getchar()
  %more = add i32 %n, 1
  %end = icmp slt i32 %c, 0
  br i1 %end, label %exit, label %loop
exit:
  ret i32 %n
}
declare i32 @getchar())";
  EXPECT_EQ(compareOne(kCount, kCount).verdict, Verdict::kEqual);
  EXPECT_EQ(compareOne(kCount, "define i32 @f() { ret i32 0 }").verdict, Verdict::kWrong);
}

}  // namespace
}  // namespace ordo::execution
