#include "mlir/lowering/torch_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/kernel_texts.h"

namespace ordo::lowering {
namespace {

using testing::HasSubstr;

class TorchTextTest : public testing::Test {
 protected:
  Result<std::string> write(std::string_view text) {
    return torchText(workshop_, *workshop_.read("kernel", text));
  }
  Workshop workshop_;
};

TEST_F(TorchTextTest, AProductIsOneCall) {
  EXPECT_EQ(*write(fakes::kMatmulText),
            "def kernel(k, in0, in1):\n"
            "    v0 = None\n"
            "    v1 = k.full((16, 32, ), 0, k.torch.float32)\n"
            "    v2 = k.contract(\"ac,cb->ab\", in0, in1, v1)\n"
            "    return (v2, )\n");
}

TEST_F(TorchTextTest, WindowsPointsAndSumsHaveTheirWords) {
  const Result<std::string> text = write(fakes::kConvolutionText);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("k.conv2d(\"nhwc\", \"hwcf\", in0, in1, v1, (2, 2), (1, 1))"));
  EXPECT_THAT(*text, HasSubstr("k.maximum(k.align(v2, \"abcd\", 4), 0)"));
  EXPECT_THAT(*text, HasSubstr("\"abc\", \"sum\", "));
}

TEST_F(TorchTextTest, WhatHasNoWordIsSaid) {
  const Result<std::string> text = write(R"(func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.cbrt %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::lowering
