#include "mlir/lowering/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/model/transform_text.h"
#include "tests/fakes/kernels.h"

namespace ordo::lowering {
namespace {

using testing::HasSubstr;

class TrialTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { workshop_ = std::make_unique<Workshop>(); }
  static void TearDownTestSuite() { workshop_.reset(); }

  static inline std::unique_ptr<Workshop> workshop_;
};

// Code for one kernel is tried as if it were for another of the same shape.
TEST_F(TrialTest, SeesWhatIsWrongAndWhatIsNotWritten) {
  const auto read = [](const char* body) {
    return *workshop_->read(
        "k", fmt::format("func.func @k(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {{\n"
                         "{}\n  return %r : tensor<8xf32>\n}}",
                         body));
  };
  const Payload sum = read(
      "  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> "
      "tensor<8xf32>");
  const Payload difference = read(
      "  %r = linalg.sub ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> "
      "tensor<8xf32>");
  const Payload nothing = read(
      "  %e = tensor.empty() : tensor<8xf32>\n  %x = linalg.copy ins(%e : tensor<8xf32>) outs(%e : "
      "tensor<8xf32>) -> tensor<8xf32>\n"
      "  %s = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"
      "  %r = tensor.insert_slice %s into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>");
  const auto trial = Trial::create(*workshop_, sum);
  ASSERT_TRUE(trial) << trial.error().message;
  EXPECT_TRUE((*trial)->exact());
  const auto right = compile(*workshop_, sum, ""), wrong = compile(*workshop_, difference, ""),
             half = compile(*workshop_, nothing, "");
  ASSERT_TRUE(right && wrong && half);
  EXPECT_EQ((*trial)->problemOf(**right), "");
  EXPECT_THAT((*trial)->problemOf(**wrong), HasSubstr("element"));
  EXPECT_THAT((*trial)->problemOf(**half), HasSubstr("element"));
  EXPECT_GT((*trial)->seconds(**right, 0.0001), 0);
}

// Only all kinds of inputs, in a process of its own, tell these from what is right.
TEST_F(TrialTest, ObjectsAreTriedAsTheyAre) {
  const auto read = [](std::string_view operation, int size) {
    return *workshop_->read("k", fmt::format(R"(func.func @k(%a: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %e = tensor.empty() : tensor<{0}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
    ins(%a : tensor<{0}xf32>) outs(%e : tensor<{0}xf32>) {{
  ^bb0(%i: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %x = arith.{1} %i, %z : f32
    linalg.yield %x : f32
  }} -> tensor<{0}xf32>
  return %r : tensor<{0}xf32>
}})",
                                             size, operation));
  };
  const Payload payload = read("maximumf", 300);
  const auto trial = Trial::create(*workshop_, payload);
  ASSERT_TRUE(trial) << trial.error().message;
  const auto problemOf = [&](const Payload& other) {
    return *(*trial)->problemOf(*emitObject(*workshop_, other, ""), 1);
  };
  EXPECT_EQ(problemOf(payload), "");
  EXPECT_THAT(problemOf(read("maxnumf", 300)), HasSubstr("on inputs with special values"));
  EXPECT_THAT(problemOf(read("maximumf", 3000)), HasSubstr("signal 11"));
  EXPECT_THAT(problemOf(read("maximumf", 299)), HasSubstr("element"));
}

TEST_F(TrialTest, WhatCannotBeComparedIsRefused) {
  const Payload never = *workshop_->read("k", R"(func.func @k(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%a, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
})");
  const auto trial = Trial::create(*workshop_, never);
  ASSERT_FALSE(trial);
  EXPECT_EQ(trial.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(trial.error().message, HasSubstr("element 0 of result 0 is no number"));
}

// Of negative numbers it has none, and those are compared as such.
TEST_F(TrialTest, LogarithmsAreCompared) {
  const Payload payload = *workshop_->read("k", R"(func.func @k(%a: tensor<40xf32>) -> tensor<40xf32> {
  %e = tensor.empty() : tensor<40xf32>
  %r = linalg.log ins(%a : tensor<40xf32>) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  return %r : tensor<40xf32>
})");
  const auto trial = Trial::create(*workshop_, payload);
  ASSERT_TRUE(trial) << trial.error().message;
  EXPECT_EQ((*trial)->problemOf(**compile(*workshop_, payload, "")), "");
}

}  // namespace
}  // namespace ordo::lowering
