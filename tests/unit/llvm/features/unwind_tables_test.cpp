#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(UnwindTablesTest, CountsFunctionsAsByHand) {
  const ir::OwnedModule module = parseText(R"(
declare void @ext()
define void @throws() {
  call void @ext()
  ret void
}
define void @quiet() nounwind {
  ret void
}
define void @traced() nounwind uwtable {
  ret void
}
define internal void @mine() nounwind {
  ret void
}
)");
  using testing::Pair;
  EXPECT_THAT(named("unwind_tables", *module),
              testing::UnorderedElementsAre(Pair("with", 2), Pair("without", 2)));
}

TEST(UnwindTablesTest, OfNoFunctionsThereAreNone) {
  const ir::OwnedModule module = parseText("declare void @ext()\n@x = global i32 1\n");
  using testing::Pair;
  EXPECT_THAT(named("unwind_tables", *module),
              testing::UnorderedElementsAre(Pair("with", 0), Pair("without", 0)));
}

}  // namespace
}  // namespace ordo::features
