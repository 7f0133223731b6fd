#include "mlir/lowering/payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/model/transform_text.h"
#include "tests/fakes/kernel_graphs.h"
#include "tests/fakes/kernel_texts.h"
#include "tests/fakes/kernels.h"

namespace ordo::lowering {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PayloadTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { workshop_ = std::make_unique<Workshop>(); }
  static void TearDownTestSuite() { workshop_.reset(); }

  static std::string refusal(std::string_view text) {
    const Result<Payload> payload = workshop_->read("k.mlir", text);
    return payload ? "" : payload.error().message;
  }

  static inline std::unique_ptr<Workshop> workshop_;
};

TEST_F(PayloadTest, AMatmulIsWhatTheModelKnows) {
  const Result<Payload> payload = workshop_->read("matmul", fakes::kMatmulText);
  ASSERT_TRUE(payload) << payload.error().message;
  EXPECT_TRUE(payload->exact);
  EXPECT_EQ(payload->inputs.size(), 2u);
  EXPECT_THAT(payload->outputs.front().shape, ElementsAre(16, 32));
  const std::vector<model::Operation> wanted = fakes::matmulKernel(16, 32, 24)->operations;
  ASSERT_EQ(payload->kernel.operations.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const model::Operation& read = payload->kernel.operations[i];
    EXPECT_EQ(read.name, wanted[i].name);
    EXPECT_EQ(read.kind, wanted[i].kind);
    EXPECT_EQ(read.extents, wanted[i].extents);
    EXPECT_EQ(read.reductions, wanted[i].reductions);
    EXPECT_EQ(read.output.rows, wanted[i].output.rows);
    EXPECT_EQ(read.output.producer, wanted[i].output.producer);
    EXPECT_EQ(read.uses, 1u);
    EXPECT_TRUE(read.schedulable && read.vectorizable);
    ASSERT_EQ(read.inputs.size(), wanted[i].inputs.size());
    for (std::size_t input = 0; input < read.inputs.size(); ++input)
      EXPECT_EQ(read.inputs[input].rows, wanted[i].inputs[input].rows);
  }
}

TEST_F(PayloadTest, WindowsAreSumsOfLoops) {
  const Result<Payload> payload = workshop_->read("conv", fakes::kConvolutionText);
  ASSERT_TRUE(payload) << payload.error().message;
  ASSERT_EQ(payload->kernel.operations.size(), 5u);
  const model::Operation& window = payload->kernel.operations[1];
  EXPECT_EQ(window.kind, model::Kind::kConvolution);
  EXPECT_THAT(window.row_loops, ElementsAre(1, 4));
  EXPECT_THAT(window.inputs[0].rows[1], ElementsAre(0, 2, 0, 0, 1, 0, 0))
      << "every other row, and three of each";
  EXPECT_EQ(payload->kernel.operations[2].uses, 2u);
  EXPECT_EQ(payload->kernel.operations[4].kind, model::Kind::kReduction);
}

TEST_F(PayloadTest, QuotientsAreNotExact) {
  const Result<Payload> payload =
      workshop_->read("div", R"(func.func @div(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = linalg.div ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
})");
  ASSERT_TRUE(payload) << payload.error().message;
  EXPECT_FALSE(payload->exact);
}

TEST_F(PayloadTest, WhatIsNoKernelIsRefusedInWords) {
  EXPECT_THAT(refusal("func.func @f(%a: tensor<4xf32>"), HasSubstr("k.mlir is no MLIR: line 1"));
  EXPECT_THAT(refusal(""), HasSubstr("0 functions"));
  EXPECT_THAT(refusal("func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }"),
              HasSubstr("tensor<?xf32>; supported are"));
  EXPECT_THAT(refusal("func.func @f(%a: tensor<4xf32>) { return }"), HasSubstr("returns nothing"));
  EXPECT_THAT(refusal("func.func private @f(tensor<4xf32>) -> tensor<4xf32>"), HasSubstr("one block"));
  EXPECT_THAT(refusal("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }"),
              HasSubstr("no operation of linalg"));
  EXPECT_THAT(refusal("llvm.func @system(!llvm.ptr) -> i32"), HasSubstr("llvm.func is none"));
  EXPECT_THAT(refusal(R"(func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32> {
    %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
    return %r : tensor<2x2x2x2xf32>
  })"),
              HasSubstr("linalg.pack is no loop nest"));
}

TEST_F(PayloadTest, ASoftmaxIsTakenApart) {
  const Result<Payload> payload = workshop_->read("softmax", fakes::kSoftmaxText);
  ASSERT_TRUE(payload) << payload.error().message;
  EXPECT_TRUE(payload->kernel.aggregates);
  EXPECT_EQ(payload->kernel.operations.size(), 8u) << "two fills, two reductions, two of points; a product";
  EXPECT_FALSE(payload->exact);
}

constexpr std::string_view kWeights = R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %w = arith.constant dense_resource<w> : tensor<2xf32>
  %r = linalg.add ins(%x, %w : tensor<2xf32>, tensor<2xf32>) outs(%x : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}}
{{-#
  dialect_resources: {{ builtin: {{ w: "0x04000000{}" }} }}
#-}})";

TEST_F(PayloadTest, WeightsOfAFileKeepTheirNames) {
  const std::string text = fmt::format(kWeights, "0000803F00000040");
  for (int again = 0; again < 2; ++again) {
    const Result<Payload> payload = workshop_->read("k.mlir", text);
    ASSERT_TRUE(payload) << payload.error().message;
    EXPECT_EQ(payload->symbol, "ordo_main");
    const Result<std::string> applied = workshop_->apply(
        *payload, model::transformText(model::Schedule(std::make_shared<model::Kernel>(payload->kernel))));
    ASSERT_TRUE(applied) << applied.error().message;
    EXPECT_THAT(*applied, HasSubstr("dense_resource<w> "));
    EXPECT_THAT(*applied, HasSubstr("w: \"0x040000000000803F00000040\""));
  }
  EXPECT_THAT(refusal(fmt::format(kWeights, "0000803F")), HasSubstr("are not whole in the file"));
}

}  // namespace
}  // namespace ordo::lowering
