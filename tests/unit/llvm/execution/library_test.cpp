#include "llvm/execution/library.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

TEST(LibraryTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const LibraryFunction& function : library()) {
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
    EXPECT_NE(function.plain, nullptr);
    EXPECT_NE(function.watched, nullptr);
  }
}

TEST(LibraryTest, ComputesAsItIs) {
  EXPECT_EQ(compareOne("define double @f() { %r = call double @floor(double 2.5)  ret double %r }\ndeclare "
                       "double @floor(double)",
                       "define double @f() { ret double 2.0 }")
                .verdict,
            Verdict::kEqual);
}

TEST(LibraryTest, KnowsWhatCharactersAre) {
  EXPECT_EQ(compareOne(R"(
define i16 @f() {
  %where = call ptr @__ctype_b_loc()
  %table = load ptr, ptr %where
  %at = getelementptr inbounds i16, ptr %table, i64 55
  %class = load i16, ptr %at
  %digit = and i16 %class, 2048
  ret i16 %digit
}
declare ptr @__ctype_b_loc())",
                       "define i16 @f() { ret i16 2048 }")
                .verdict,
            Verdict::kEqual);
}

TEST(LibraryTest, SaysWhatIsNotModelled) {
  EXPECT_THAT(problemOf("define ptr @f() { %r = call ptr @tmpfile()  ret ptr %r }\ndeclare ptr @tmpfile()"),
              HasSubstr("tmpfile"));
}

}  // namespace
}  // namespace ordo::execution
