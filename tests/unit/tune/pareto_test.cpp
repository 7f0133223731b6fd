#include "tune/pareto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/replay.h"
#include "notation/action.h"
#include "search/evaluation/front.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

env::BackendInfo info() {
  env::BackendInfo info;
  info.metrics = {{"count", "", true, ""}, {"cost", "", true, ""}, {"compile_ms", "ms", false, ""}};
  return info;
}

std::string refusal(std::string_view text) {
  const auto front = parseFront(info(), text);
  EXPECT_FALSE(front) << text;
  return front ? "" : front.error().message;
}

TEST(ParseFrontTest, TakesMetricsThatAreTheSameEachTime) {
  EXPECT_THAT(*parseFront(info(), "cost,count"), ElementsAre("cost", "count"));
  EXPECT_THAT(refusal("count"), HasSubstr("two metrics or more"));
  EXPECT_THAT(refusal(""), HasSubstr("two metrics or more"));
  EXPECT_THAT(refusal("count,count"), HasSubstr("twice"));
  EXPECT_THAT(refusal("count,cots"), HasSubstr("did you mean 'cost'?"));
  EXPECT_THAT(refusal("count,compile_ms"), HasSubstr("known: count, cost"));
  EXPECT_THAT(refusal("runtime,count"), HasSubstr("--objective runtime --limit"));
}

class ParetoTest : public engine::EngineFixture {
 protected:
  ParetoTest() {
    EXPECT_TRUE(writeFile(dir_.path() / "mix.c", engine::kSmallProgram));
    Result<engine::Input> input = engine::prepareInput((dir_.path() / "mix.c").string(), {}, {});
    EXPECT_TRUE(input) << input.error().message;
    input_ = *std::move(input);
    space_.name = "small";
    for (const char* text :
         {"function(sroa<modify-cfg>)", "function(simplifycfg)", "function(instcombine<no-verify-fixpoint>)",
          "cgscc(inline)", "function(loop(loop-rotate))", "function(reg2mem)"}) {
      space_.actions.push_back({text, notation::kPipeline, text});
    }
    space_.actions.push_back({"-minsize", notation::kAttribute, "-minsize"});
    options_.budget = {.evaluations = 120};
  }
  Result<Pareto> find() {
    return findFront(*engine_, input_, space_, {"ir_instructions", "text_bytes"}, options_);
  }

  TempDir dir_ = *TempDir::create();
  engine::Input input_;
  spaces::Space space_;
  TuneOptions options_;
};

TEST_F(ParetoTest, EachPointIsAProvenResultThatNoOtherBetters) {
  const Result<Pareto> front = find();
  ASSERT_TRUE(front) << front.error().message;
  ASSERT_FALSE(front->points.empty());
  EXPECT_GE(front->found, front->points.size());
  const auto values = [&](std::size_t point) {
    return std::vector{front->figure(point, 0).tuned, front->figure(point, 1).tuned};
  };
  for (std::size_t i = 0; i < front->points.size(); ++i) {
    const Tuned& point = front->points[i];
    EXPECT_EQ(point.verified, Tuned::Checked::kPassed) << point.recipe.verified;
    EXPECT_EQ(front->figure(i, 0).metric, "ir_instructions");
    EXPECT_EQ(front->figure(i, 1).metric, "text_bytes");
    EXPECT_TRUE(front->seen.contains(values(i)));
    EXPECT_FALSE(search::dominates(front->baseline, values(i)));
    for (std::size_t j = 0; j < front->points.size(); ++j)
      EXPECT_FALSE(search::dominates(values(j), values(i)));
    EXPECT_TRUE(i == 0 || front->figure(i - 1, 0).tuned < front->figure(i, 0).tuned);
    const Result<engine::Replayed> replayed = engine::replay(*engine_, input_, point.recipe);
    ASSERT_TRUE(replayed) << replayed.error().message;
    EXPECT_EQ(replayed->hash, point.recipe.result_hash);
    EXPECT_TRUE(recipe::parse(recipe::write(point.recipe), "recipe.json"));
  }
  // Nothing seen betters all of them: the front reaches as low as what was measured.
  for (std::size_t metric = 0; metric < 2; ++metric) {
    const auto least = std::ranges::min_element(front->seen, {}, [&](const auto& v) { return v[metric]; });
    double reached = front->baseline[metric];
    for (std::size_t i = 0; i < front->points.size(); ++i) reached = std::min(reached, values(i)[metric]);
    EXPECT_EQ(reached, (*least)[metric]);
  }
}

TEST_F(ParetoTest, WithoutABudgetTheBaselineOrTheProgramItselfIsThere) {
  options_.budget = {.evaluations = 0};
  const Result<Pareto> front = find();
  ASSERT_TRUE(front) << front.error().message;
  EXPECT_GE(front->points.size(), 1u);
}

TEST_F(ParetoTest, LimitsHoldForAllPointsAndAreOfOtherMetrics) {
  options_.limits = {"object_bytes=+0%"};
  const Result<Pareto> front = find();
  ASSERT_TRUE(front) << front.error().message;
  for (const Tuned& point : front->points) {
    for (const recipe::Figure& figure : point.recipe.figures) {
      if (figure.metric != "object_bytes") continue;
      EXPECT_LE(figure.tuned, figure.baseline);
    }
  }
  options_.limits = {"text_bytes=+5%"};
  const Result<Pareto> refused = find();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is the objective"));
}

}  // namespace
}  // namespace ordo::tune
