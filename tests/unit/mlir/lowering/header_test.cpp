#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/lowering/payload.h"

namespace ordo::lowering {
namespace {

TEST(HeaderOf, DeclaresInputsThenOutputs) {
  Payload payload;
  payload.name = "k.mlir";
  payload.kernel.function = payload.symbol = "scale";
  payload.inputs = {{{4, 8}, 4}, {{8}, 8}};
  payload.outputs = {{{4}, 4}};
  EXPECT_THAT(headerOf(payload),
              testing::HasSubstr("void scale(const float* in0, const double* in1, float* out0);"));
  EXPECT_THAT(headerOf(payload), testing::HasSubstr("// in0: float of 4 x 8\n"));
  EXPECT_THAT(headerOf(payload), testing::Not(testing::HasSubstr("OpenMP")));
  EXPECT_THAT(headerOf(payload, 2), testing::HasSubstr("// It runs on 2 threads of OpenMP"));
}

}  // namespace
}  // namespace ordo::lowering
