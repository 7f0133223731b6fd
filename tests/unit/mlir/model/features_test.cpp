#include "mlir/model/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

float of(const Schedule& schedule, std::string_view name) {
  const auto place = std::ranges::find(featureNames(), name) - featureNames().begin();
  return features(schedule).at(static_cast<std::size_t>(place));
}

TEST(Features, FollowTheOperationThatIsDealtWith) {
  Schedule schedule(fakes::matmulKernel(16, 64, 32));
  EXPECT_EQ(of(schedule, "now_contraction"), 1);
  EXPECT_EQ(of(schedule, "next_fill"), 1);
  EXPECT_EQ(of(schedule, "loop1_extent"), 6);
  EXPECT_EQ(of(schedule, "loop2_reduces"), 1);
  schedule.apply(*Step::parse("tile<1,32>"));
  EXPECT_EQ(of(schedule, "loop1_tile"), 5);
  const float before = of(schedule, "cycles");
  schedule.apply(*Step::parse("vectorize<8,32,1>"));
  EXPECT_LT(of(schedule, "cycles"), before);
  EXPECT_EQ(of(schedule, "registers1"), 5);
  schedule.apply({StepType::kStop, {}});
  EXPECT_EQ(of(schedule, "now_fill"), 1);
  EXPECT_EQ(of(schedule, "done_contraction"), 1);
}

TEST(Features, AreNumbersAndAsManyOfWhateverIsLeft) {
  Rng rng(5);
  for (int i = 0; i < 50; ++i) {
    const Schedule schedule = fakes::randomSchedule(fakes::matmulKernel(12, 8, 20), rng);
    const std::vector<float> all = features(schedule);
    EXPECT_EQ(all.size(), featureNames().size());
    EXPECT_TRUE(std::ranges::all_of(all, [](float value) { return std::isfinite(value); }));
  }
}

}  // namespace
}  // namespace ordo::model
