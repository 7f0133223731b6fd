#include "search/catalog/decision_tree.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

// How many evaluations `tree` uses of a hundred, of which the seed is one.
std::uint64_t evaluations(Searcher& tree, Knowledge knowledge) {
  fakes::ToyBackend backend;
  const auto evaluator =
      *Evaluator::open(backend, fakes::toySpec(100, {"dec", "noop"}), {.metric = "count", .screen = ""});
  evaluator->limit({.evaluations = 100});
  SearchContext context(*evaluator, evaluator->evaluate({{}}), 10, Rng(1), {}, std::move(knowledge));
  tree.run(context);
  return evaluator->statistics().evaluations;
}

// The guess gains 2 %; its neighbours gained 4 % and 1 %.
Knowledge sample() { return {.examples = {{{1}, {0, 0}, 0.04}, {{3}, {0}, 0.01}}, .features = {1}}; }

TEST(DecisionTreeTest, SearchesOnlyWhereItsGuessFallsShort) {
  for (const auto& [threshold, expected] :
       {std::pair{0.0, 2u}, {0.01, 2u}, {0.02, 100u}, {0.05, 100u}, {0.10, 100u}})
    EXPECT_EQ(evaluations(*decisionTree(threshold), sample()), expected) << threshold;
}

TEST(DecisionTreeTest, NeighboursMayDecideWhatIsEnough) {
  EXPECT_EQ(evaluations(*decisionTreeByFeatures(), sample()), 100u) << "2.5 % was to be expected";
  Knowledge modest = sample();
  modest.examples[0].gain = 0.02;
  EXPECT_EQ(evaluations(*decisionTreeByFeatures(), modest), 2u);
}

TEST(DecisionTreeTest, WithoutAGuessThatFitsItSearches) {
  EXPECT_EQ(evaluations(*decisionTree(0), {}), 100u);
  Knowledge too_long = sample();
  for (Knowledge::Example& example : too_long.examples) example.best = Sequence(11, 0);
  EXPECT_EQ(evaluations(*decisionTree(0), too_long), 100u);
}

}  // namespace
}  // namespace ordo::search
