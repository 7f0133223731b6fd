#include "mlir/model/cost.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mlir/model/limits.h"
#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

double costOf(std::string_view steps) {
  return cost(fakes::scheduled(fakes::matmulKernel(48, 64, 48), steps));
}

// Four rows of two registers.
std::string eightSums() { return fmt::format("vectorize<4,{},1>", 2 * registers().lanes); }

TEST(Cost, OrdersSchedulesAsTheClockDoes) {
  // 106.5, 8.15 and 1.72 ms of a product of 512 x 512 (docs/mlir.md).
  const double naive = costOf(""), fair = costOf("fair"), vectors = costOf(eightSums());
  EXPECT_GT(naive, 3 * fair);
  EXPECT_GT(fair, 2 * vectors);
  EXPECT_GT(costOf("vectorize<1,16,1>"), vectors) << "one sum waits for the last";
  EXPECT_GT(costOf("tile<0,1>;tile<1,1>"), 0);
}

TEST(Cost, KnowsWhatLiesApartAndWhatLiesSideBySide) {
  auto turned = *fakes::matmulKernel(48, 64, 48);
  turned.operations[1].inputs[1] = {{{0, 1, 0}, {0, 0, 1}}, {64, 48}, {}};
  const auto kernel = std::make_shared<const Kernel>(turned);
  EXPECT_GT(cost(fakes::scheduled(kernel, eightSums())), 1.5 * costOf(eightSums()));

  const auto rows = fakes::rowSums(64, 1000);
  const double across = cost(fakes::scheduled(rows, "vectorize<1,1,128>"));
  EXPECT_GT(cost(fakes::scheduled(rows, "vectorize<1,32,1>")), 4 * across);
  EXPECT_GT(cost(fakes::scheduled(rows, "vectorize<1,1,16>")), across) << "each turn is summed up";
}

TEST(Flops, AreTwoForEachPointOfAProduct) {
  EXPECT_EQ(flops(*fakes::matmulKernel(4, 8, 16)), 2 * 4 * 8 * 16);
}

}  // namespace
}  // namespace ordo::model
