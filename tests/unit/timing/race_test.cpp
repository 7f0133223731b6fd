#include "timing/race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/timing/fake_field.h"

namespace ordo::timing {
namespace {

std::vector<Standing> raceOf(FakeField& field, RaceOptions options = {}) {
  FieldExperiment experiment(field, field.clock());
  Result<std::vector<Standing>> standings = race(experiment, field.clock(), options);
  EXPECT_TRUE(standings) << standings.error().message;
  return std::move(*standings);
}

// 31 that are a little slower or equal and one that is 5 % faster; single runs are noisier than that.
TEST(RaceTest, TheFastestIsAmongTheFirst) {
  int found = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::vector<double> gains;
    for (int i = 0; i < 32; ++i) gains.push_back(-0.001 * i);
    gains[seed % 32] = 0.05;
    FakeField field(gains, seed);
    const std::vector<Standing> standings = raceOf(field, {.budget_s = 60, .seed = seed});
    ASSERT_EQ(standings.size(), 32u);
    for (std::size_t i = 0; i < 3; ++i) found += standings[i].candidate == seed % 32;
  }
  EXPECT_GE(found, 38);
}

TEST(RaceTest, WhatLeadsIsRunLonger) {
  FakeField field({0, 0.2, 0, 0.3, 0, 0, 0, 0});
  const std::vector<Standing> standings = raceOf(field, {.budget_s = 30, .finalists = 2});
  EXPECT_EQ(standings[0].candidate, 3u);
  EXPECT_EQ(standings[1].candidate, 1u);
  EXPECT_NEAR(standings[0].score(), std::log(1.3), 0.03);
  EXPECT_GT(field.runs[3], 3 * field.runs[0]);
  EXPECT_GE(standings[2].pairs.size(), standings[7].pairs.size());
  EXPECT_NEAR(field.clock().seconds(), 30, 2);
}

TEST(RaceTest, EachIsRunEvenIfThereIsNoTime) {
  FakeField field({0, 0.5, 0, 0}, 2);
  const std::vector<Standing> standings = raceOf(field, {.budget_s = 0, .finalists = 1});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(field.runs[i], 1u);
  EXPECT_EQ(standings[0].candidate, 1u);
}

TEST(RaceTest, WhatDoesSomethingElseIsOut) {
  FakeField field({0.5, 0, 0.1, 0.4});
  field.wrong = {0, 3};
  const std::vector<Standing> standings = raceOf(field, {.finalists = 1});
  EXPECT_EQ(standings[0].candidate, 2u);
  EXPECT_EQ(standings[1].candidate, 1u);
  EXPECT_FALSE(standings[2].sound() || standings[3].sound());
  EXPECT_EQ(standings[2].failure, "other output");
  EXPECT_EQ(standings[2].score(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(field.runs[0], 1u);

  FakeField none({0.5});
  none.wrong = {0};
  EXPECT_FALSE(raceOf(none).front().sound());
  FakeField empty({});
  EXPECT_TRUE(raceOf(empty).empty());
}

TEST(RaceTest, ItCanBeStopped) {
  FakeField field({0, 0, 0, 0});
  field.stop_after = 5;
  const std::vector<Standing> standings = raceOf(field, {.stop = &field.stop});
  EXPECT_EQ(standings.size(), 4u);
  EXPECT_LE(field.runs[0] + field.runs[1] + field.runs[2] + field.runs[3], 3u);
}

TEST(RaceTest, ABaselineThatFailsEndsIt) {
  Machine machine;
  FakeRunner runner(machine, 1);
  runner.fail_at = 1;
  class One final : public Field {
   public:
    explicit One(Runner& runner) : runner_(runner) {}
    std::size_t size() const override { return 1; }
    Runner& runner() override { return runner_; }
    Status enter(std::size_t) override { return {}; }
    Result<Runner*> rebuild(std::size_t) override { return &runner_; }

   private:
    Runner& runner_;
  } field(runner);
  for (std::uint64_t seed = 1;; ++seed) {
    runner.order.clear();
    FieldExperiment experiment(field, runner.clock);
    const auto standings = race(experiment, runner.clock, {.budget_s = 0, .seed = seed});
    if (runner.order.front() != Arm::kBaseline) continue;
    ASSERT_FALSE(standings);
    EXPECT_THAT(standings.error().message, testing::HasSubstr("does not do the same each time"));
    break;
  }
}

TEST(RaceTest, WhatIsNotCountedIsAnError) {
  FakeField field({0});
  FieldExperiment experiment(field, field.clock(), {.quantity = Quantity::kCycles});
  const auto standings = race(experiment, field.clock(), {});
  ASSERT_FALSE(standings);
  EXPECT_EQ(standings.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::timing
