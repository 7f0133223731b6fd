#include "llvm/execution/callbacks.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::HasSubstr;

TEST(CallbacksTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const auto& [name, address] : callbacks()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(address, nullptr);
  }
}

TEST(CallbacksTest, EndWhatDoesNotEnd) {
  EXPECT_THAT(problemOf("define void @f() { br label %l\nl: br label %l }"), HasSubstr("too long"));
  EXPECT_THAT(problemOf("define void @f() { call void @f()  ret void }"), HasSubstr("too deep"));
}

TEST(CallbacksTest, WantAddressesThatAreAlignedAndFunctionsThatAreSome) {
  EXPECT_THAT(problemOf("@g = internal global [4 x i32] zeroinitializer\ndefine i32 @f() {\n"
                        "%r = load i32, ptr getelementptr (i8, ptr @g, i64 1), align 4  ret i32 %r }"),
              HasSubstr("not aligned"));
  EXPECT_THAT(problemOf("define void @f(ptr nonnull %p) { call void %p()  ret void }"),
              HasSubstr("no function"));
}

}  // namespace
}  // namespace ordo::execution
