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

}  // namespace
}  // namespace ordo::lowering
