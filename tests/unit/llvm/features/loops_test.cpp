#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(LoopsFeatureTest, EachInnermostLoopIsARow) {
  const ir::OwnedModule module = parseText(R"(
define void @f(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %tail, label %outer_end
tail:
  br label %inner
outer_end:
  br i1 %c, label %outer, label %alone
alone:
  br i1 %c, label %alone, label %exit
exit:
  ret void
}
)");
  const std::string bytes = extract("loops", *module);
  std::vector<std::int64_t> rows(bytes.size() / sizeof(std::int64_t));
  std::memcpy(rows.data(), bytes.data(), bytes.size());
  EXPECT_EQ(rows, (std::vector<std::int64_t>{2, 2, 2, 1, 1, 1}));
}

}  // namespace
}  // namespace ordo::features
