#include <gmock/gmock.h>

#include "llvm/execution/library.h"
#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

constexpr std::string_view kDeclarations = R"(
declare ptr @malloc(i64)
declare void @free(ptr)
declare i64 @strlen(ptr)
declare ptr @strcpy(ptr, ptr)
declare ptr @realloc(ptr, i64)
)";

std::string problem(std::string_view body) { return problemOf(fmt::format("{}{}", body, kDeclarations)); }

TEST(LibraryMemoryTest, ReadsAStringOfAnyInput) {
  EXPECT_EQ(problem("define i64 @f(ptr nonnull %s) { %r = call i64 @strlen(ptr %s)  ret i64 %r }"), "");
}

TEST(LibraryMemoryTest, ChecksWhatItIsGiven) {
  EXPECT_THAT(
      problem("define i64 @f() { %p = call ptr @malloc(i64 4)  %r = call i64 @strlen(ptr %p)  ret i64 %r }"),
      HasSubstr("never written"));
  EXPECT_THAT(problem("@s = constant [4 x i8] c\"abc\\00\"\ndefine void @f() { %p = call ptr @malloc(i64 3)\n"
                      "call ptr @strcpy(ptr %p, ptr @s)  ret void }"),
              HasSubstr("outside of objects"));
  EXPECT_THAT(problem("define void @f() { %p = alloca i8  call void @free(ptr %p)  ret void }"),
              HasSubstr("malloc"));
}

// Where a block lies is nobody's business, what is in it is.
TEST(LibraryMemoryTest, ComparesBlocksByTheirContents) {
  constexpr std::string_view kOne = R"(
define ptr @f(i32 %x) { %p = call ptr @malloc(i64 4)  store i32 %x, ptr %p  ret ptr %p })";
  constexpr std::string_view kElsewhere = R"(
define ptr @f(i32 %x) { %q = call ptr @malloc(i64 64)  call void @free(ptr %q)
  %p = call ptr @malloc(i64 4)  store i32 %x, ptr %p  ret ptr %p })";
  constexpr std::string_view kWrong = R"(
define ptr @f(i32 %x) { %p = call ptr @malloc(i64 4)  store i32 5, ptr %p  ret ptr %p })";
  const auto with = [](std::string_view text) { return fmt::format("{}{}", text, kDeclarations); };
  EXPECT_EQ(compareOne(with(kOne), with(kElsewhere)).verdict, Verdict::kEqual);
  EXPECT_EQ(compareOne(with(kOne), with(kWrong)).verdict, Verdict::kWrong);
}

}  // namespace
}  // namespace ordo::execution
