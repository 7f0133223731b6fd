#include "datasets/kernel_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::datasets {
namespace {

using testing::HasSubstr;

TEST(KernelText, IsAFunctionOfItsInputs) {
  KernelText text;
  const KernelText::Value a = text.input({4, 8}), b = text.input({8, 6});
  const std::string written = *text.write("f", {text.named("matmul", {a, b}, text.full({4, 6}, "0.0"))});
  EXPECT_THAT(written,
              testing::StartsWith(
                  "func.func @f(%in0: tensor<4x8xf32>, %in1: tensor<8x6xf32>) -> (tensor<4x6xf32>) {"));
  EXPECT_THAT(written, HasSubstr("linalg.matmul ins(%in0, %in1 : tensor<4x8xf32>, tensor<8x6xf32>)"));
}

TEST(KernelText, LettersAreLoopsAndThoseThatAreNotKeptReduce) {
  KernelText text;
  const KernelText::Value a = text.input({4, 8}), b = text.input({6, 8});
  const std::string written = *text.write("f", {text.product("ac,bc->ab", a, b, {4, 6})});
  EXPECT_THAT(written, HasSubstr("affine_map<(a, b, c) -> (b, c)>"));
  EXPECT_THAT(written, HasSubstr("[\"parallel\", \"parallel\", \"reduction\"]"));
}

TEST(KernelText, ATensorWithoutElementsIsNoKernel) {
  KernelText text;
  const KernelText::Value a = text.input({4, 0});
  EXPECT_EQ(text.write("f", {a}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::datasets
