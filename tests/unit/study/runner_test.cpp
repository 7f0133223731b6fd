#include "study/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::study {
namespace {

using testing::HasSubstr;

class RunnerTest : public testing::Test {
 protected:
  std::unique_ptr<StudyWriter> open() {
    auto writer = StudyWriter::open(file_, toySettings(), {});
    EXPECT_TRUE(writer) << writer.error().message;
    return std::move(*writer);
  }
  Study read() {
    auto study = readStudy(file_);
    EXPECT_TRUE(study) << study.error().message;
    return study ? *std::move(study) : Study{};
  }

  TempDir dir_ = *TempDir::create();
  const std::filesystem::path file_ = dir_.path() / "s.sqlite";
  ToyHost host_;
};

TEST_F(RunnerTest, MakesEveryRunOnceInItsOwnSite) {
  Plan plan = toyPlan({"toy/100", "toy/60"});
  plan.jobs = 3;
  std::uint64_t heard = 0;
  const auto outcome = runPlan(host_, *open(), plan,
                               {.stop = nullptr, .on_run = [&](const Progress& progress, const study::Run&) {
                                  EXPECT_EQ(progress.done, ++heard);
                                }});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->progress.done, 8u);
  EXPECT_EQ(heard, 8u);
  EXPECT_EQ(host_.sites, 8);
  EXPECT_EQ(host_.prepared, 2);
  EXPECT_EQ(read().runs.size(), 8u);
  EXPECT_EQ(read().programs.size(), 2u);
}

TEST_F(RunnerTest, GoesOnWhereItWasAndMayBeExtended) {
  ASSERT_TRUE(runPlan(host_, *open(), toyPlan({"toy/100"}), {}));
  const auto again = runPlan(host_, *open(), toyPlan({"toy/100"}), {});
  EXPECT_EQ(again->progress.made, 0u);
  EXPECT_EQ(again->progress.done, 4u);
  const auto more = runPlan(host_, *open(), toyPlan({"toy/100", "toy/60"}, 3), {});
  EXPECT_EQ(more->progress.made, 8u);
  EXPECT_EQ(read().runs.size(), 12u);
}

// The same runs come out whatever runs beside them and before them.
TEST_F(RunnerTest, ARunDependsOnItsKeyOnly) {
  Plan plan = toyPlan({"toy/100", "toy/60"});
  ASSERT_TRUE(runPlan(host_, *open(), plan, {}));
  const Study one = read();
  std::filesystem::remove(file_);
  plan.jobs = 4;
  std::ranges::reverse(plan.programs);
  ASSERT_TRUE(runPlan(host_, *open(), plan, {}));
  const Study four = read();
  ASSERT_EQ(one.runs.size(), four.runs.size());
  for (std::size_t i = 0; i < one.runs.size(); ++i) {
    EXPECT_EQ(one.runs[i].key, four.runs[i].key);
    EXPECT_EQ(one.runs[i].statistics.passes, four.runs[i].statistics.passes);
    EXPECT_EQ(valueOf(one.runs[i].checkpoints.back().own, "count"),
              valueOf(four.runs[i].checkpoints.back().own, "count"));
  }
}

TEST_F(RunnerTest, AProgramThatFailsIsARecordWithItsReason) {
  const auto outcome = runPlan(host_, *open(), toyPlan({"toy/bad", "toy/60"}, 1), {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->progress.failed, 2u);
  const Study study = read();
  EXPECT_EQ(study.program("toy/bad")->failure, "no program");
  EXPECT_EQ(study.runs.size(), 4u);
  EXPECT_EQ(std::ranges::count(study.runs, "no program", &Run::failure), 2);
}

TEST_F(RunnerTest, OurOwnFailureEndsIt) {
  const auto outcome = runPlan(host_, *open(), toyPlan({"toy/60", "toy/broken"}, 1), {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "the disk is gone");
  EXPECT_EQ(read().runs.size(), 2u);
}

TEST_F(RunnerTest, StopsBetweenRuns) {
  std::atomic<bool> stop = false;
  const auto outcome = runPlan(host_, *open(), toyPlan({"toy/60"}, 3),
                               {.stop = &stop, .on_run = [&](const Progress& progress, const study::Run&) {
                                  if (progress.made == 2) stop = true;
                                }});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->stopped);
  EXPECT_EQ(outcome->progress.made, 2u);
  EXPECT_EQ(read().runs.size(), 2u);
}

TEST_F(RunnerTest, AProgramThatChangedIsRefused) {
  ASSERT_TRUE(runPlan(host_, *open(), toyPlan({"toy/60"}, 1), {}));
  host_.shift = 1;
  const auto outcome = runPlan(host_, *open(), toyPlan({"toy/60"}, 2), {});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("another program now"));
}

}  // namespace
}  // namespace ordo::study
