#include "mlir/model/tokens.h"

#include <gtest/gtest.h>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

std::int64_t at(const Rows& rows, std::size_t row, const std::vector<std::string>& columns,
                std::string_view name) {
  const auto column = static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
  return rows.at(row * columns.size() + column);
}

TEST(Tokens, SayWhatBecameOfEachLoopAndTensor) {
  const Schedule schedule = fakes::scheduled(fakes::matmulKernel(24, 64, 48), "interchange<2>;fuse<0,8>");
  const Rows loops = loopTokens(schedule);
  ASSERT_EQ(loops.size(), 5 * loopColumns().size()) << "two loops of the fill, three of the product";
  EXPECT_EQ(at(loops, 0, loopColumns(), "tile"), 8);
  EXPECT_EQ(at(loops, 0, loopColumns(), "inside"), 1);
  EXPECT_EQ(at(loops, 2, loopColumns(), "extent"), 24);
  EXPECT_EQ(at(loops, 2, loopColumns(), "place"), 1);
  EXPECT_EQ(at(loops, 4, loopColumns(), "reduces"), 1);
  EXPECT_EQ(at(loops, 4, loopColumns(), "current"), 1);
  const Rows accesses = accessTokens(schedule);
  ASSERT_EQ(accesses.size(), 8 * accessColumns().size()) << "matrices: one of the fill, three of the product";
  EXPECT_EQ(at(accesses, 2, accessColumns(), "piece"), 8);
  EXPECT_EQ(at(accesses, 6, accessColumns(), "producer"), 0);
  EXPECT_EQ(at(accesses, 3, accessColumns(), "loop2"), 1);
  const Rows steps = stepTokens(schedule);
  ASSERT_EQ(steps.size(), 2 * stepColumns().size());
  EXPECT_EQ(at(steps, 1, stepColumns(), "second"), 8);
}

}  // namespace
}  // namespace ordo::model
