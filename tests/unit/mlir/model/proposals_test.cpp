#include "mlir/model/proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "mlir/model/cost.h"
#include "mlir/model/limits.h"
#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

TEST(Proposals, AreWholeDifferentAndBeginWithWhatCostsLeast) {
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(256, 256, 256);
  const std::vector<Schedule> all = proposals(kernel, 40);
  EXPECT_EQ(all.size(), 40u);
  std::set<std::string> texts;
  bool tiled = false;
  for (const Schedule& schedule : all) {
    EXPECT_FALSE(schedule.current()) << "operations are left";
    EXPECT_TRUE(schedule.progress(1).vectorized);
    EXPECT_GE(cost(schedule), 0.95 * cost(all.front()));
    texts.insert(stepsText(schedule.steps()));
    tiled = tiled || schedule.progress(1).tilings > 0;
  }
  EXPECT_EQ(texts.size(), all.size());
  EXPECT_TRUE(tiled);
  const auto [rows, columns, depth] = all.front().progress(1).registers;
  EXPECT_GE(rows * columns, 12 * registers().lanes) << "twelve sums at least";
}

// What is read again and again is copied in pieces that stay in a cache.
TEST(Proposals, PackTheInputsOfLargeProducts) {
  const auto packed = [](std::int64_t size) {
    std::set<std::size_t> counts;
    for (const Schedule& schedule : proposals(fakes::matmulKernel(size, size, size), 12)) {
      const Progress& progress = schedule.progress(1);
      EXPECT_TRUE(progress.vectorized);
      counts.insert(progress.packed.size());
      for (const std::size_t input : progress.packed) {
        double bytes = 4;
        for (const std::int64_t elements : progress.input_dims[input]) bytes *= static_cast<double>(elements);
        EXPECT_LE(bytes, 1 << 20) << stepsText(schedule.steps());
      }
    }
    return counts;
  };
  EXPECT_THAT(packed(1024), testing::IsSupersetOf({1u, 2u}));
  EXPECT_THAT(packed(768), testing::IsSupersetOf({1u, 2u})) << "512 is no piece of it; 384 is";
  EXPECT_THAT(packed(64), testing::Not(testing::Contains(2u)));
}

// Where it is worth beginning them: a product of 16 is done before they are there.
TEST(Proposals, DealOutToThreadsWhatTakesLong) {
  const auto dealt = [](std::int64_t size, unsigned threads) {
    std::size_t count = 0;
    for (const Schedule& schedule : proposals(fakes::matmulKernel(size, size, size), 12, threads)) {
      if (schedule.progress(1).parallel) ++count;
    }
    return count;
  };
  EXPECT_EQ(dealt(512, 1), 0u);
  EXPECT_GT(dealt(512, 2), 6u);
  EXPECT_GT(dealt(512, 3), 6u) << "there is no third of 512, but 8 pieces in 3 turns";
  EXPECT_EQ(dealt(16, 2), 0u);
}

TEST(Proposals, AreFewWhereThereIsLittleToChoose) {
  EXPECT_LE(proposals(fakes::matmulKernel(2, 2, 2), 40).size(), 20u);
  EXPECT_EQ(proposals(fakes::matmulKernel(512, 512, 512), 3).size(), 3u);
}

}  // namespace
}  // namespace ordo::model
