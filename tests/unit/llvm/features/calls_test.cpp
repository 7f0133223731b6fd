#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(CallsFeatureTest, EachCallOfTheProgramsOwnFunctionsIsARow) {
  const ir::OwnedModule module = parseText(R"(
declare void @ext()
define void @leaf() {
  call void @ext()
  ret void
}
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  call void @leaf()
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @counted() !prof !0 {
  call void @f(i1 false)
  ret void
}
define internal void @mine() {
  ret void
}
define linkonce_odr void @shared() {
  call void @mine()
  call void @leaf()
  ret void
}
!0 = !{!"function_entry_count", i64 7}
)");
  const std::string bytes = extract("calls", *module);
  std::vector<std::int64_t> rows(bytes.size() / sizeof(std::int64_t));
  std::memcpy(rows.data(), bytes.data(), bytes.size());
  EXPECT_EQ(rows, (std::vector<std::int64_t>{-1, 1, 2, 2, 0, 7, 0, 4, 1, 0, -1, 0, 1, 1, 2, -1, 0, 2, 2, 0}));
}

}  // namespace
}  // namespace ordo::features
