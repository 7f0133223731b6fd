#include "tune/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/replay.h"
#include "notation/action.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::tune {
namespace {

using testing::Contains;
using testing::HasSubstr;

class JobTest : public engine::EngineFixture {
 protected:
  JobTest() {
    EXPECT_TRUE(writeFile(dir_.path() / "sum.c",
                          "int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; "
                          "return s; }\n"));
    Result<engine::Input> input = engine::prepareInput((dir_.path() / "sum.c").string(), {}, {});
    EXPECT_TRUE(input) << input.error().message;
    input_ = *std::move(input);
    space_.name = "small";
    space_.actions.push_back({"mem2reg", notation::kPipeline, "function(mem2reg)"});
  }

  TempDir dir_ = *TempDir::create();
  engine::Input input_;
  spaces::Space space_;
  TuneOptions options_;
};

TEST_F(JobTest, SearchesFromTheProgramAndItsBaseline) {
  Result<Job> job = Job::start(*engine_, input_, space_, options_);
  ASSERT_TRUE(job) << job.error().message;
  std::vector<search::Sequence> heard;
  search::SearchOptions options;
  options.budget = {.evaluations = 20};
  const Result<search::SearchResult> found =
      job->search({.metric = "ir_instructions", .screen = ""}, options,
                  [&](const search::Evaluation& answer) { heard.push_back(answer.actions); });
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(heard, Contains(search::Sequence{job->baseline()}));
  EXPECT_THAT(heard, Contains(search::Sequence{}));
  EXPECT_EQ(found->seeds.front().state, job->atBaseline().hash);
}

TEST_F(JobTest, WhoDoesNotHoldIsRefusedAndTheNextIsAsked) {
  Result<Job> job = Job::start(*engine_, input_, space_, options_);
  ASSERT_TRUE(job) << job.error().message;
  const search::Sequence empty, better{job->baseline(), 0};
  Found found{.candidates = {empty, better}, .contributions = {}, .statistics = {}};
  found.metrics = {"object_bytes"};
  const Hash128 given = (*engine::reach(*engine_, input_, job->spec().program, {})).hash;
  found.holds = [&](const engine::State& replayed) -> Result<bool> { return replayed.hash != given; };
  const Result<Tuned> tuned = job->conclude(found);
  ASSERT_TRUE(tuned) << tuned.error().message;
  ASSERT_EQ(tuned->refused.size(), 1u);
  EXPECT_THAT(tuned->refused.front().why, HasSubstr("did not replay"));
  EXPECT_EQ(tuned->recipe.actions.size(), 2u);
  EXPECT_EQ(engine::allActions(tuned->recipe).size(), 2u);
  EXPECT_EQ(tuned->recipe.figures.at(1).metric, "object_bytes");

  found.holds = [](const engine::State&) -> Result<bool> { return false; };
  const Result<Tuned> baseline = job->conclude(found);
  ASSERT_TRUE(baseline) << baseline.error().message;
  EXPECT_EQ(baseline->refused.size(), 2u);
  EXPECT_EQ(baseline->recipe.result_hash, job->atBaseline().hash);
}

TEST_F(JobTest, ALimitThatTheBaselineIsBeyondEndsItBeforeItBegins) {
  options_.limits = {"ir_instructions=1"};
  Result<Job> job = Job::start(*engine_, input_, space_, options_);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::tune
