#include "search/knowledge/mine.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

std::vector<ActionPair> synergiesOf(const env::SessionSpec& spec) {
  fakes::ToyBackend backend;
  const auto evaluator = *Evaluator::open(backend, spec, {.metric = "count", .screen = ""});
  evaluator->evaluate(std::vector<Sequence>{{}});
  return findSynergies(*evaluator);
}

TEST(MineTest, ASynergyPaysMoreThanItsSecondActionAlone) {
  // On 9, dec pays alone and more after itself or enable. dec-if-even pays only where it is even.
  EXPECT_EQ(synergiesOf(fakes::toySpec(9, {"noop", "dec", "inc", "dec-if-even", "enable", "crash"})),
            (std::vector<ActionPair>{{1, 1}, {4, 1}}));
}

TEST(MineTest, WholePipelinesAreNoPartOfPairs) {
  std::string heavy = "heavy=dec";
  for (int i = 0; i < 30; ++i) heavy += ",dec";
  EXPECT_EQ(synergiesOf(fakes::toySpec(100, {heavy, "dec"})), (std::vector<ActionPair>{{1, 1}}));
}

TEST(MineTest, ACoresetServesThoseThatAreNotServed) {
  // Candidates by programs. The first is the best for most, the second adds nothing to it, the third
  // is bad but for the last program.
  const std::vector<std::vector<double>> costs{{0.8, 0.8, 0.9, 1.2}, {0.9, 0.8, 0.9, 1.1}, {2, 2, 2, 0.9}};
  EXPECT_EQ(chooseCoreset(costs, 10), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(chooseCoreset(costs, 1), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(chooseCoreset({}, 3).empty());
  const std::vector<std::vector<double>> worse{{1, 1.5}};
  EXPECT_TRUE(chooseCoreset(worse, 3).empty()) << "the baseline is better";
  EXPECT_EQ(chooseCoreset(costs, 10, {0.7, 0.7, 0.8, 1}), (std::vector<std::size_t>{2}))
      << "others serve the rest better";
}

}  // namespace
}  // namespace ordo::search
