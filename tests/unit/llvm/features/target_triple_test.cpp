#include <gtest/gtest.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(TargetTripleTest, IsThatOfTheModule) {
  const ir::OwnedModule module = parseText("target triple = \"thumbv7em-unknown-none-eabi\"\n");
  EXPECT_EQ(extract("target_triple", *module), "thumbv7em-unknown-none-eabi");
}

TEST(TargetTripleTest, IsNothingWhereTheModuleDoesNotSay) {
  const ir::OwnedModule module = parseText("declare void @ext()\n");
  EXPECT_EQ(extract("target_triple", *module), "");
}

}  // namespace
}  // namespace ordo::features
