#include "search/searcher/context.h"

#include <gtest/gtest.h>

#include "support/usage.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

std::unique_ptr<Evaluator> openEvaluator(fakes::ToyBackend& backend, const env::SessionSpec& spec) {
  auto opened = Evaluator::open(backend, spec, {.metric = "count", .screen = ""});
  return *std::move(opened);
}

TEST(ContextTest, AWatcherHearsEveryAnswerAndChangesNone) {
  const auto runs = [](bool watched, std::vector<std::uint64_t>& heard) {
    fakes::ToyBackend backend;
    const auto evaluator = *Evaluator::open(backend, fakes::toySpec(100, {"dec", "inc", "crash"}),
                                            {.metric = "count", .screen = ""}, {});
    std::vector<Evaluation> seeds = evaluator->evaluate({{}}, Effort::kFresh);
    evaluator->limit({.evaluations = 5});
    SearchContext context(*evaluator, std::move(seeds), 8, Rng(1));
    if (watched) {
      evaluator->listen([&](const Evaluation& evaluation) {
        const Statistics totals = evaluator->statistics();
        EXPECT_EQ(totals.evaluations, evaluation.number);
        heard.push_back(totals.passes);
      });
    }
    return context.evaluate({{0}, {0, 0}, {2}, {0, 0}, {1}, {1, 1}});
  };
  std::vector<std::uint64_t> heard, none;
  const auto watched = runs(true, heard), alone = runs(false, none);
  ASSERT_EQ(watched.size(), alone.size());
  for (std::size_t i = 0; i < watched.size(); ++i) {
    EXPECT_EQ(watched[i].verdict, alone[i].verdict);
    EXPECT_EQ(watched[i].value, alone[i].value);
  }
  EXPECT_EQ(heard.size(), 4u);  // the seed is the first of five; what was skipped is no answer
  EXPECT_TRUE(none.empty());
}

TEST(SearchContextTest, LeadersAreTheBestDistinctProgramsShortestFirst) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"dec", "inc", "noop"}));
  SearchContext context(*evaluator, {evaluator->evaluateOne({})}, 10, Rng(1));
  context.evaluate({{0, 2, 2}, {0, 0}, {0}, {1}});
  ASSERT_EQ(context.leaders().size(), 4u);
  EXPECT_EQ(context.best().value, 98);
  EXPECT_EQ(context.leaders()[1].actions, (Sequence{0})) << "the shorter way to the same program";
  EXPECT_EQ(context.leaders()[3].value, 101);
}

TEST(SearchContextTest, TellsOfEveryImprovementOnce) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"dec", "inc"}));
  std::vector<double> values;
  SearchContext context(*evaluator, {evaluator->evaluateOne({})}, 10, Rng(1),
                        [&](const Evaluation& best) { values.push_back(best.value); });
  context.evaluate({{1}, {0}, {0, 1}, {0, 0, 0}, {0, 0}});
  EXPECT_EQ(values, (std::vector<double>{100, 99, 97}));
}

TEST(SearchContextTest, TheLengthLimitNeverForbidsASeed) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"dec"}));
  SearchContext context(*evaluator, {evaluator->evaluateOne({0, 0, 0})}, 1, Rng(1));
  EXPECT_EQ(context.maxLength(), 3u);
}

TEST(SearchContextTest, WhatIsThoughtOnTheWayIsTheSearchersOwnTime) {
  fakes::ToyBackend backend;
  const auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"dec"}));
  SearchContext context(*evaluator, evaluator->evaluate({{}}), 3, Rng(1));
  double thought_s = 0;
  const auto think = [&](const Sequence&, const RolloutState&) {
    const double before_s = threadCpuSeconds();
    while (threadCpuSeconds() < before_s + 0.01) continue;
    thought_s += threadCpuSeconds() - before_s;
    return std::optional<env::ActionIndex>(0);
  };
  const double before_s = threadCpuSeconds();
  const auto results = context.evaluate({{{}, think}}, {"counters"});
  const double all_s = threadCpuSeconds() - before_s;
  EXPECT_EQ(results.front().value, 97);
  EXPECT_EQ(context.best().value, 97);
  EXPECT_GE(thought_s, 0.03);
  EXPECT_LE(context.evaluatingCpuSeconds(), all_s - thought_s);
}

}  // namespace
}  // namespace ordo::search
