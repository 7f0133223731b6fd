#include "mlir/model/draft.h"

#include <gtest/gtest.h>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

TEST(Draft, OfAScheduleMakesItAgain) {
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(48, 64, 32);
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Schedule schedule = scheduleOf(kernel, randomDraft(kernel, rng));
    EXPECT_FALSE(schedule.current());
    EXPECT_EQ(stepsText(scheduleOf(kernel, draftOf(schedule)).steps()), stepsText(schedule.steps()));
  }
  // `fair` as what it does.
  const Schedule fair = scheduleOf(kernel, draftOf(fakes::scheduled(kernel, "fair")));
  EXPECT_EQ(fair.progress(1).order, fairOrder(kernel->operations[1]));
  // What is not dealt with is left alone.
  EXPECT_EQ(draftOf(fakes::scheduled(kernel, "tile<0,8>")), (Draft{{Step{StepType::kTile, {0, 8, 0}}}, {}}));
}

TEST(Draft, VariesInOnePlaceAndAlwaysMakesAWholeSchedule) {
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(48, 64, 32);
  Rng rng(2);
  Draft draft = randomDraft(kernel, rng);
  std::size_t others = 0;
  for (int i = 0; i < 200; ++i) {
    const Draft next = varied(kernel, draft, rng);
    ASSERT_EQ(next.size(), draft.size());
    EXPECT_TRUE(next[0] == draft[0] || next[1] == draft[1]);
    others += next != draft;
    EXPECT_FALSE(scheduleOf(kernel, next).current());
    draft = next;
  }
  EXPECT_GT(others, 100u);
}

TEST(Draft, IsCrossedOperationByOperation) {
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(48, 64, 32);
  const Draft one = draftOf(fakes::scheduled(kernel, "vectorize<4,32,1>;stop;stop"));
  const Draft other = draftOf(fakes::scheduled(kernel, "tile<0,8>;stop;vectorize<8,16,1>;stop"));
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const Draft child = crossed(one, other, rng);
    for (std::size_t place = 0; place < child.size(); ++place)
      EXPECT_TRUE(child[place] == one[place] || child[place] == other[place]);
  }
}

}  // namespace
}  // namespace ordo::model
