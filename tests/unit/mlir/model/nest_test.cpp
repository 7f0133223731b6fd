#include "mlir/model/nest.h"

#include <gtest/gtest.h>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

TEST(Nest, LoopsOfStepsComeFirst) {
  const Nest nest = nestOf(fakes::scheduled(fakes::matmulKernel(64, 64, 64), "tile<1,16>;tile<2,8>"), 1);
  ASSERT_EQ(nest.cut, 2u);
  EXPECT_EQ(nest.loops[0].loop, 1u);
  EXPECT_EQ(nest.loops[0].turns, 4);
  EXPECT_EQ(nest.loops[1].loop, 2u);
  EXPECT_EQ(nest.loops[1].turns, 8);
}

TEST(Tiles, SayWhatEachTurnTouches) {
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(64, 64, 64);
  const Json all = tilesOf(fakes::scheduled(kernel, "tile<1,16>;vectorize<4,16,1>"));
  ASSERT_EQ(all.size(), kernel->operations.size());
  const Json& levels = all[1]["levels"];
  EXPECT_TRUE(levels[0]["loop"].is_null());
  EXPECT_EQ(levels[0]["bytes"], Json({16384.0, 16384.0, 16384.0})) << "all of three tensors";
  EXPECT_EQ(levels[1]["loop"], 1);
  EXPECT_TRUE(levels[1]["step"].get<bool>());
  EXPECT_EQ(levels[1]["tile"], Json({64, 16, 64}));
  EXPECT_EQ(levels[1]["bytes"], Json({16384.0, 4096.0, 4096.0})) << "a quarter of what it moves through";
  EXPECT_EQ(levels.back()["tile"], Json({4, 16, 1})) << "the registers";
  EXPECT_EQ(levels.back()["bytes"], Json({16.0, 64.0, 256.0}));
}

}  // namespace
}  // namespace ordo::model
