#include "shell/workbench.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum Toy : env::ActionIndex { kNoop, kDec, kInc, kDecIfEven, kHalve, kEnable, kBreak, kCrash, kPoison };

class WorkbenchTest : public testing::Test {
 protected:
  WorkbenchTest() { EXPECT_TRUE(bench_.load("toy:100")); }

  ToyBench toy_;
  Workbench& bench_ = toy_.bench;
};

TEST_F(WorkbenchTest, RemembersTheMetricAfterEachAction) {
  EXPECT_TRUE(bench_.apply(kDec));
  EXPECT_TRUE(bench_.apply(kInc));
  EXPECT_TRUE(bench_.apply(kHalve));
  EXPECT_THAT(bench_.metrics(), ElementsAre(100, 99, 100, 50));
  EXPECT_EQ(bench_.totalReward(), 50);
  EXPECT_TRUE(bench_.undo(2));
  EXPECT_THAT(bench_.metrics(), ElementsAre(100, 99));
  EXPECT_FALSE(bench_.undo(2));
  EXPECT_TRUE(bench_.reset());
  EXPECT_THAT(bench_.metrics(), ElementsAre(100));
  EXPECT_EQ(bench_.reference()->second, 50);
}

TEST_F(WorkbenchTest, WhatFailsLeavesTheStateAsItWas) {
  for (const env::ActionIndex action : {kBreak, kCrash, kPoison}) {
    const Result<env::EpisodeStep> step = bench_.apply(action);
    ASSERT_TRUE(step);
    EXPECT_NE(step->status, env::StepStatus::kOk);
    EXPECT_THAT(bench_.metrics(), ElementsAre(100));
  }
  EXPECT_EQ(bench_.apply(kDec)->metric, 99);
}

TEST_F(WorkbenchTest, TriesEverythingWithoutChangingTheState) {
  const Previews previews = *bench_.tryAll();
  EXPECT_EQ(previews.left, 0u);
  ASSERT_EQ(previews.best_first.size(), 9u);
  EXPECT_EQ(previews.best_first[0].action, kHalve);
  EXPECT_EQ(previews.best_first[0].metric, 50);
  EXPECT_FALSE(previews.best_first.back().ok());
  EXPECT_FALSE(bench_.known(kNoop)->changed);
  EXPECT_THAT(bench_.metrics(), ElementsAre(100));
  EXPECT_EQ(bench_.known(kHalve)->metric, 50);
  const std::uint64_t passes = toy_.backend.counters().passes;
  EXPECT_EQ(bench_.tryAll()->best_first.size(), 9u);
  EXPECT_EQ(toy_.backend.counters().passes, passes) << "all of it was known";
  EXPECT_TRUE(bench_.apply(kDec));
  EXPECT_EQ(bench_.known(kHalve), nullptr);
}

TEST_F(WorkbenchTest, AnInterruptKeepsWhatIsKnown) {
  const Previews some = *bench_.tryAll([&](std::size_t done, std::size_t) { toy_.stop = done == 3; });
  EXPECT_EQ(some.best_first.size(), 4u);
  EXPECT_EQ(some.left, 5u);
  toy_.stop = false;
  EXPECT_EQ(bench_.tryAll()->left, 0u);
}

TEST_F(WorkbenchTest, RandomActionsAreThoseThatMayDoSomething) {
  EXPECT_TRUE(bench_.tryAll());
  for (int i = 0; i < 50; ++i) {
    const env::ActionIndex action = *bench_.randomAction();
    EXPECT_NE(action, kNoop);
    EXPECT_LT(action, kBreak);
  }
}

TEST_F(WorkbenchTest, ObservesTheStateThePlanAndTheProgram) {
  EXPECT_TRUE(bench_.apply(kDec));
  const Observed counters = *bench_.observe("counters");
  EXPECT_THAT(counters.numbers(), ElementsAre(99, 0, 0, 0));
  EXPECT_EQ(counters.element_names[0], "count");
  EXPECT_EQ(bench_.observe("text")->bytes, "toy 99 seed 7");
  EXPECT_THAT(bench_.observe("count")->numbers(), ElementsAre(99));
  EXPECT_THAT(bench_.observe("count/initial")->numbers(), ElementsAre(100));
  EXPECT_THAT(bench_.observe("count/clang-O0")->numbers(), ElementsAre(90));
  EXPECT_EQ(bench_.observe("action_histogram")->numbers()[kDec], 1);
  EXPECT_TRUE(std::isnan(bench_.observe("runtime")->numbers()[0]));
  EXPECT_THAT(bench_.observe("counter").error().message, HasSubstr("did you mean 'counters'"));
}

TEST_F(WorkbenchTest, ShowsTheTextAroundAnAction) {
  EXPECT_FALSE(bench_.textBefore());
  EXPECT_TRUE(bench_.apply(kDec));
  EXPECT_EQ(*bench_.text(), "toy 99 seed 7");
  EXPECT_EQ(*bench_.textBefore(), "toy 100 seed 7");
  EXPECT_EQ(*bench_.textAfter(kInc), "toy 100 seed 7");
  EXPECT_EQ(bench_.textAfter(kCrash).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(*bench_.text(), "toy 99 seed 7");
}

TEST_F(WorkbenchTest, AProgramThatCannotBeLoadedLeavesTheOneBefore) {
  EXPECT_TRUE(bench_.apply(kDec));
  EXPECT_FALSE(bench_.load("nonsense"));
  EXPECT_EQ(bench_.program().uri, "toy:100");
  EXPECT_EQ(bench_.metrics().back(), 99);
  EXPECT_TRUE(bench_.load("toy:8"));
  EXPECT_THAT(bench_.metrics(), ElementsAre(8));
}

}  // namespace
}  // namespace ordo::shell
