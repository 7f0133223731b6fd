#include "mlir/model/operation.h"

#include <gtest/gtest.h>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

TEST(Operation, RegistersHoldRowsAndColumnsOfItsOutput) {
  const auto kernel = fakes::matmulKernel(4, 8, 16);
  EXPECT_EQ(rowLoop(kernel->operations[1]), 0u);
  EXPECT_EQ(columnLoop(kernel->operations[1]), 1u);
  EXPECT_EQ(depthLoop(kernel->operations[1]), 2u);
  EXPECT_EQ(depthLoop(kernel->operations[0]), std::nullopt) << "a fill sums up nothing";
  EXPECT_STREQ(name(kernel->operations[1].kind), "contraction");
}

TEST(Operation, TheRowOfAWindowIsNoRowOfRegisters) {
  Operation window;
  window.extents = {1, 6, 7, 8, 3, 3, 4};
  window.reductions = {false, false, false, false, true, true, true};
  window.output.rows = {
      {1, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0}};
  window.row_loops = {1, 4};
  EXPECT_EQ(rowLoop(window), 2u);
  window.output.rows = {{1, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0}};
  EXPECT_EQ(rowLoop(window), 0u) << "the next that is free";
}

}  // namespace
}  // namespace ordo::model
