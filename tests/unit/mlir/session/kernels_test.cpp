#include "mlir/session/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/kernel_texts.h"

namespace ordo::session {
namespace {

TEST(Kernels, AreReadOnceAndNotTooLarge) {
  Kernels kernels;
  const auto first = kernels.open("a", fakes::kMatmulText), second = kernels.open("b", fakes::kMatmulText);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*kernels.trial(**first), *kernels.trial(**second));
  const auto large =
      kernels.open("large", R"(func.func @f(%a: tensor<999999x9999xf32>) -> tensor<999999x9999xf32> {
  %r = linalg.exp ins(%a : tensor<999999x9999xf32>) outs(%a : tensor<999999x9999xf32>) -> tensor<999999x9999xf32>
  return %r : tensor<999999x9999xf32>
})");
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, testing::HasSubstr("are run here"));
}

}  // namespace
}  // namespace ordo::session
