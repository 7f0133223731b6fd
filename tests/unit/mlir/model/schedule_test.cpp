#include "mlir/model/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/model/limits.h"
#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

using testing::ElementsAre;

class ScheduleTest : public testing::Test {
 protected:
  bool take(std::string_view text) { return schedule_.apply(*Step::parse(text)); }
  bool legal(std::string_view text) const { return schedule_.legal(*Step::parse(text)); }

  std::shared_ptr<const Kernel> kernel_ = fakes::matmulKernel(24, 64, 48);
  Schedule schedule_{kernel_};
};

TEST_F(ScheduleTest, BeginsWithTheLastOperationAndGoesUp) {
  EXPECT_EQ(schedule_.current(), 1u);
  EXPECT_TRUE(take("stop"));
  EXPECT_EQ(schedule_.current(), 0u);
  EXPECT_TRUE(take("stop"));
  EXPECT_EQ(schedule_.current(), std::nullopt);
  EXPECT_FALSE(take("stop"));
  EXPECT_THAT(schedule_.steps(), testing::SizeIs(2)) << "what is not legal leaves no trace";
}

TEST_F(ScheduleTest, SizesDivideWhatTheyCutAndAreSmaller) {
  EXPECT_TRUE(legal("tile<0,3>"));
  EXPECT_TRUE(legal("tile<0,12>"));
  for (const char* step : {"tile<0,24>", "tile<0,5>", "tile<0,0>", "tile<3,2>", "tile<0,48>"})
    EXPECT_FALSE(legal(step)) << step;
  EXPECT_TRUE(take("tile<0,12>"));
  EXPECT_FALSE(legal("tile<0,8>")) << "does not divide what is left";
  EXPECT_TRUE(legal("tile<0,4>"));
}

TEST_F(ScheduleTest, ThreadsDoNotSumUpAndAreGivenWorkOnce) {
  EXPECT_FALSE(legal("parallel<2,4>"));
  EXPECT_FALSE(legal("fuse<2,4>"));
  EXPECT_TRUE(take("parallel<0,8>"));
  EXPECT_FALSE(legal("parallel<1,8>"));
  EXPECT_FALSE(legal("fuse<1,8>")) << "the loop has left the producers outside";
}

TEST_F(ScheduleTest, WhatIsFusedIsAsLargeAsWhatIsRead) {
  EXPECT_TRUE(take("fuse<0,8>"));
  EXPECT_TRUE(take("fuse<1,32>"));
  EXPECT_THAT(schedule_.progress(0).tile, ElementsAre(8, 32));
  EXPECT_TRUE(schedule_.progress(0).inside);
  EXPECT_EQ(schedule_.progress(0).around, 3 * 2);
  EXPECT_THAT(schedule_.progress(1).input_dims[0], ElementsAre(8, 48));
  EXPECT_TRUE(take("stop"));
  EXPECT_FALSE(legal("parallel<0,4>")) << "it is inside of another's loops";
  EXPECT_TRUE(legal("vectorize<8,32,1>"));
}

TEST_F(ScheduleTest, WhatSomebodyElseReadsIsNotFused) {
  Kernel kernel = *kernel_;
  kernel.operations[0].uses = 2;
  EXPECT_FALSE(Schedule(std::make_shared<const Kernel>(kernel)).legal({StepType::kFuse, {0, 8}}));
}

TEST_F(ScheduleTest, PointersPutLoopsInOrderOneAfterTheOther) {
  EXPECT_TRUE(take("interchange<2>"));
  EXPECT_FALSE(legal("interchange<2>")) << "it has its place";
  EXPECT_THAT(schedule_.progress(1).order, ElementsAre(2, 0, 1));
  EXPECT_TRUE(take("interchange<1>"));
  EXPECT_THAT(schedule_.progress(1).order, ElementsAre(2, 1, 0));
  EXPECT_TRUE(take("tile<0,8>"));
  EXPECT_FALSE(legal("interchange<0>")) << "loops are there";
}

TEST_F(ScheduleTest, VectorsAreOfBoundedSizeAndEndTheTiling) {
  EXPECT_FALSE(legal("vectorize<24,64,1>")) << "more than there are registers";
  EXPECT_FALSE(legal("vectorize<7,32,5>")) << "sums leave nothing over";
  EXPECT_FALSE(legal("vectorize<25,2,1>")) << "more rows than there are";
  EXPECT_FALSE(legal("unroll<2>")) << "of what?";
  EXPECT_TRUE(take("vectorize<8,32,1>"));
  EXPECT_FALSE(legal("tile<0,4>"));
  EXPECT_FALSE(legal("vectorize<8,32,1>"));
  EXPECT_FALSE(legal("unroll<5>")) << "48 turns";
  EXPECT_TRUE(take("unroll<8>"));
  EXPECT_FALSE(legal("unroll<2>"));
}

TEST_F(ScheduleTest, WhatIsLeftOverAtTheEdgesGetsSmallerVectors) {
  EXPECT_TRUE(legal("vectorize<7,30,1>"));
  EXPECT_FALSE(legal("vectorize<1,1,1>"));
  EXPECT_TRUE(take("tile<0,8>"));
  EXPECT_FALSE(legal("vectorize<7,1,1>")) << "one row of one column is no vector";
  EXPECT_TRUE(take("vectorize<7,30,1>"));
  EXPECT_THAT(schedule_.progress(1).whole, ElementsAre(8, 64, 48));
  EXPECT_EQ(schedule_.progress(1).trip, 48);
}

TEST_F(ScheduleTest, WhatIsReadAgainMayBeCopiedToOnePlace) {
  EXPECT_FALSE(legal("pack<1>")) << "all of it";
  EXPECT_TRUE(take("fuse<1,16>"));
  EXPECT_TRUE(take("tile<2,8>"));
  EXPECT_FALSE(legal("pack<2>"));
  EXPECT_TRUE(take("pack<1>"));
  EXPECT_EQ(schedule_.progress(1).copied, 48 * 64);
  EXPECT_FALSE(legal("pack<1>"));
  EXPECT_FALSE(legal("fuse<0,8>")) << "into the copy";
  EXPECT_TRUE(legal("pack<0>"));
  EXPECT_TRUE(legal("vectorize<12,16,1>"));
}

TEST_F(ScheduleTest, RandomOnesKeepWithinTheLimits) {
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const Schedule schedule = fakes::randomSchedule(kernel_, rng);
    for (std::size_t operation = 0; operation < 2; ++operation) {
      const Progress& progress = schedule.progress(operation);
      EXPECT_LE(progress.tilings, kMostTilings);
      const auto [rows, columns, depth] = progress.registers;
      EXPECT_LE(rows * columns * depth * progress.unrolled, kMostUnrolled);
      const std::vector<std::int64_t>& tile = progress.vectorized ? progress.whole : progress.tile;
      for (std::size_t loop = 0; loop < tile.size(); ++loop)
        EXPECT_EQ(kernel_->operations[operation].extents[loop] % tile[loop], 0);
    }
    // Taken anew, the steps lead to the same.
    const Schedule again = fakes::scheduled(kernel_, stepsText(schedule.steps()));
    EXPECT_EQ(again.progress(1).tile, schedule.progress(1).tile);
  }
}

TEST_F(ScheduleTest, TheFairOrderEndsWithWhatLiesTogether) {
  EXPECT_THAT(fairOrder(kernel_->operations[1]), ElementsAre(0, 2, 1));
  EXPECT_TRUE(take("fair"));
  EXPECT_EQ(schedule_.current(), std::nullopt);
  EXPECT_THAT(schedule_.progress(1).order, ElementsAre(0, 2, 1));
}

TEST_F(ScheduleTest, GreedFillsRegistersAndIsWrittenOut) {
  EXPECT_TRUE(take("fuse<0,8>"));
  EXPECT_TRUE(take("greedy"));
  EXPECT_EQ(schedule_.current(), std::nullopt);
  EXPECT_TRUE(schedule_.progress(0).vectorized && schedule_.progress(1).vectorized);
  EXPECT_GE(schedule_.progress(1).registers[0] * schedule_.progress(1).registers[1], 8 * registers().lanes)
      << "eight sums at least";
  EXPECT_THAT(stepsText(schedule_.steps()),
              testing::MatchesRegex("fuse<0,8>;vectorize.*;stop;vectorize.*;stop"));
}

TEST_F(ScheduleTest, StepsThatFitNoSizeAreKnown) {
  EXPECT_TRUE(applicable(*kernel_, *Step::parse("tile<0,12>")));
  EXPECT_FALSE(applicable(*kernel_, *Step::parse("tile<0,5>")));
  EXPECT_FALSE(applicable(*kernel_, *Step::parse("interchange<3>")));
  EXPECT_FALSE(applicable(*kernel_, *Step::parse("decompose")));
  EXPECT_TRUE(applicable(*kernel_, *Step::parse("vectorize<14,48,1>")));
  EXPECT_FALSE(applicable(*kernel_, *Step::parse("vectorize<1,96,1>")));
  EXPECT_FALSE(applicable(*kernel_, *Step::parse("vectorize<14,48,5>")));
}

}  // namespace
}  // namespace ordo::model
