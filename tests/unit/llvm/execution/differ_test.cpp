#include "llvm/execution/differ.h"

#include <gmock/gmock.h>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

TEST(DifferTest, FindsAnotherValue) {
  const auto report = compareOne("define i32 @f(i32 %x) { %r = sub i32 %x, 7  ret i32 %r }",
                                 "define i32 @f(i32 %x) { %r = sub i32 7, %x  ret i32 %r }");
  EXPECT_EQ(report.verdict, Verdict::kWrong);
  EXPECT_THAT(report.detail, HasSubstr("returns 0x"));
  EXPECT_THAT(report.input, HasSubstr("f("));
}

TEST(DifferTest, KnowsWhatIsTheSame) {
  const auto report = compareOne("define i32 @f(i32 %x) { %r = mul i32 %x, 2  ret i32 %r }",
                                 "define i32 @f(i32 %x) { %r = shl i32 %x, 1  ret i32 %r }");
  EXPECT_EQ(report.verdict, Verdict::kEqual);
  EXPECT_EQ(report.compared, 60);
  EXPECT_EQ(report.blocks, 1);
  EXPECT_EQ(report.reached, 1);
}

// The optimiser may do what it wants where the original overflows, and only there.
TEST(DifferTest, LeavesFreedomWhereTheOriginalIsUndefined) {
  constexpr std::string_view kOriginal = R"(
define i1 @f(i32 %x) { %n = add nsw i32 %x, 1  %r = icmp sgt i32 %n, %x  ret i1 %r })";
  EXPECT_EQ(compareOne(kOriginal, "define i1 @f(i32 %x) { ret i1 true }").verdict, Verdict::kEqual);
  EXPECT_EQ(compareOne(kOriginal, "define i1 @f(i32 %x) { ret i1 false }").verdict, Verdict::kWrong);
  EXPECT_EQ(compareOne("define i1 @f(i32 %x) { %n = add i32 %x, 1  %r = icmp sgt i32 %n, %x  ret i1 %r }",
                       "define i1 @f(i32 %x) { ret i1 true }")
                .verdict,
            Verdict::kWrong);
}

TEST(DifferTest, FindsAStoreThatIsGone) {
  const auto report = compareOne("define void @f(ptr %p, i32 %x) { store i32 %x, ptr %p  ret void }",
                                 "define void @f(ptr %p, i32 %x) { ret void }");
  EXPECT_EQ(report.verdict, Verdict::kWrong);
  EXPECT_THAT(report.detail, HasSubstr("input buffer"));
}

TEST(DifferTest, WalksAListThatNobodyDescribed) {
  constexpr std::string_view kList = R"(
define i32 @sum(ptr %list) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %list, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %end = icmp eq ptr %at, null
  br i1 %end, label %exit, label %body
body:
  %value = load i32, ptr %at
  %more = add i32 %sum, %value
  %link = getelementptr inbounds i8, ptr %at, i64 8
  %next = load ptr, ptr %link
  br label %loop
exit:
  ret i32 %sum
})";
  const auto same = compareOne(kList, kList);
  EXPECT_EQ(same.verdict, Verdict::kEqual);
  EXPECT_EQ(same.reached, same.blocks);
  std::string wrong(kList);
  wrong.replace(wrong.find("i64 8"), 5, "i64 0");
  EXPECT_EQ(compareOne(kList, wrong).verdict, Verdict::kWrong);
}

TEST(DifferTest, SeesWhatACrashAndAnEndlessLoopAre) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer holds signals back until a loop ends, and this one does not";
#endif
  constexpr std::string_view kOriginal = "define i32 @f(i32 %x) { ret i32 1 }";
  EXPECT_THAT(compareOne(kOriginal,
                         "define i32 @f(i32 %x) { call void @llvm.trap() unreachable }\n"
                         "declare void @llvm.trap()")
                  .detail,
              HasSubstr("crashes"));
  EXPECT_THAT(compareOne(kOriginal, "define i32 @f(i32 %x) { br label %l\nl: br label %l }").detail,
              HasSubstr("does not end"));
}

TEST(DifferTest, SaysWhatItDidNotCompare) {
  EXPECT_THAT(problemOf("define i32 @f(ptr %p) { %r = call i32 asm \"nop\", \"=r\"()  ret i32 %r }"),
              HasSubstr("inline assembly"));
  EXPECT_THAT(problemOf("define void @f(i32 %n, ...) { ret void }"), HasSubstr("variable number"));
  EXPECT_EQ(compareOne("define void @f() { ret void }", "declare void @f()").verdict, Verdict::kWrong);
  // Local functions may become anything, and copies of inline functions may go.
  EXPECT_TRUE(
      compareTexts("define internal void @f() { ret void }\ndefine linkonce_odr void @g() { ret void }", "")
          .functions.empty());
}

TEST(DifferTest, RefusesWhatIsNotIr) {
  differ::Request request;
  request.original = request.optimized = "nonsense";
  Progress progress;
  const auto report = compareModules(request, progress);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCorrupt);
}

TEST(DifferTest, RefusesCodeThatDoesNotRunInThisProcess) {
  for (const std::string_view triple :
       {"i386-pc-linux-gnu", "x86_64-unknown-linux-gnux32", "aarch64-linux-gnu"}) {
    differ::Request request;
    request.original = request.optimized =
        fmt::format("target triple = \"{}\"\ndefine i32 @f(i32 %x) {{ ret i32 %x }}", triple);
    Progress progress;
    const auto report = compareModules(request, progress);
    ASSERT_FALSE(report) << triple;
    EXPECT_EQ(report.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(report.error().message, HasSubstr(triple));
  }
}

TEST(DifferTest, RunsConstructorsBeforeAnythingElse) {
  constexpr std::string_view kOriginal = R"(
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @init, ptr null }]
@value = internal global i32 0
define internal void @init() { store i32 5, ptr @value  ret void }
define i32 @f() { %r = load i32, ptr @value  ret i32 %r })";
  EXPECT_EQ(compareOne(kOriginal, "define i32 @f() { ret i32 5 }").verdict, Verdict::kEqual);
  EXPECT_EQ(compareOne(kOriginal, "define i32 @f() { ret i32 0 }").verdict, Verdict::kWrong);
}

}  // namespace
}  // namespace ordo::execution
