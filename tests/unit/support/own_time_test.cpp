#include "support/own_time.h"

#include <gtest/gtest.h>

#include <memory>

namespace ordo {
namespace {

class HandClock final : public Clock {
 public:
  double seconds() const override { return now_s; }
  double now_s = 100;
};

class OwnTimeTest : public testing::Test {
 protected:
  // A tenth of a second on two processors, in which ours ran and waited so long.
  void pass(double ran_s, double waited_s, double others_s) {
    wall_->now_s += 0.1;
    use_.ran_s += ran_s;
    use_.waited_s += waited_s;
    use_.busy_s += ran_s + others_s;
  }

  const std::shared_ptr<HandClock> wall_ = std::make_shared<HandClock>();
  ProcessorUse use_{.processors = 2};
  const OwnTime clock_{5, wall_, [this] { return use_; }};
};

TEST_F(OwnTimeTest, OnAFreeMachineItIsTheClockOnTheWall) {
  const double begin_s = clock_.seconds();
  for (int i = 0; i < 10; ++i) {
    pass(0.1, 0, 0.1);  // another has the other processor
    (void)clock_.seconds();
  }
  EXPECT_NEAR(clock_.seconds() - begin_s, 1, 1e-9);
}

TEST_F(OwnTimeTest, WaitingForWhatOthersHaveDoesNotCount) {
  const double begin_s = clock_.seconds();
  for (int i = 0; i < 10; ++i) {
    pass(0.025, 0.075, 0.175);
    (void)clock_.seconds();
  }
  EXPECT_NEAR(clock_.seconds() - begin_s, 0.25, 1e-9);
}

TEST_F(OwnTimeTest, WaitingForOneselfDoes) {
  const double begin_s = clock_.seconds();
  pass(0.2, 0.2, 0);  // four threads on two processors
  EXPECT_NEAR(clock_.seconds() - begin_s, 0.1, 1e-9);
  pass(0.19, 0.2, 0.01);
  EXPECT_NEAR(clock_.seconds() - begin_s, 0.195, 1e-9) << "others had a twentieth";
}

TEST_F(OwnTimeTest, ThereIsAnEnd) {
  const double begin_s = clock_.seconds();
  for (int i = 0; i < 100; ++i) {
    pass(0.001, 0.099, 0.199);
    const double before_s = clock_.seconds();
    pass(0.001, 0.099, 0.199);
    EXPECT_GE(clock_.seconds(), before_s) << "it never goes back";
  }
  EXPECT_NEAR(clock_.seconds() - begin_s, 20 - 5, 1e-6);
}

TEST_F(OwnTimeTest, TheKernelSaysWhatThisProcessHad) {
  const ProcessorUse before = processorUse();
  volatile double sum = 0;
  while (processorUse().ran_s < before.ran_s + 0.02) sum = sum + 1;
  const ProcessorUse after = processorUse();
  EXPECT_GE(after.processors, 1);
  EXPECT_GE(after.busy_s, before.busy_s);
  EXPECT_GE(after.waited_s, before.waited_s);
}

}  // namespace
}  // namespace ordo
