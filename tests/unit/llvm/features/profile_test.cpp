#include "llvm/ir/profile.h"

#include <gtest/gtest.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(ProfileFeatureTest, IsTheNumbersOfTheModule) {
  const ir::OwnedModule module =
      parseText("define i32 @f(i1 %c) {\n  %x = select i1 %c, i32 1, i32 2\n  ret i32 %x\n}\n");
  EXPECT_EQ(extract("profile", *module), "") << "nobody has seen it run";
  const std::vector<std::int64_t> numbers{1, 9, 9, 9, 9, 1, 1, 999999, 9, 1, 0, 9, 4, 5};
  ASSERT_TRUE(ir::setProfile(*module, numbers));
  const std::string bytes = extract("profile", *module);
  std::vector<std::int64_t> read(bytes.size() / sizeof(std::int64_t));
  std::memcpy(read.data(), bytes.data(), bytes.size());
  EXPECT_EQ(read, numbers);
}

}  // namespace
}  // namespace ordo::features
