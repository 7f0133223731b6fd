#include "search/context.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

std::unique_ptr<Evaluator> openEvaluator(fakes::ToyBackend& backend, const env::SessionSpec& spec) {
  auto opened = Evaluator::open(backend, spec, {.metric = "count", .screen = ""});
  return *std::move(opened);
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

}  // namespace
}  // namespace ordo::search
