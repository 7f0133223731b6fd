#include "search/searcher/variation.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/fakes/toy_context.h"

namespace ordo::search {
namespace {

using fakes::ToyContext;

TEST(VariationTest, ANeighbourIsOneChangeAway) {
  ToyContext context(fakes::toySpec(9, fakes::kToyActions), 4);
  std::set<std::size_t> lengths;
  for (int i = 0; i < 200; ++i) lengths.insert(neighbour(*context, {1, 2, 3}).size());
  EXPECT_EQ(lengths, (std::set<std::size_t>{2, 3, 4}));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(neighbour(*context, {}).size(), 1u) << "nothing but an insertion changes it";
    EXPECT_LE(neighbour(*context, {1, 2, 3, 4}).size(), 4u);
  }
}

TEST(VariationTest, MutationReplacesAsManyActionsAsAskedFor) {
  ToyContext context(fakes::toySpec(9, fakes::kToyActions));
  const Sequence sequence(1000, 5);
  EXPECT_EQ(mutated(*context, sequence, 0), sequence);
  const auto kept = std::ranges::count(mutated(*context, sequence, 0.5), 5u);
  // 500 stay and a sixth of the others is drawn again; the standard deviation is 16.
  EXPECT_NEAR(static_cast<double>(kept), 583, 64);
}

TEST(VariationTest, ACrossIsMadeOfPartsOfBothParents) {
  ToyContext context(fakes::toySpec(9, fakes::kToyActions), 6);
  bool both = false;
  for (int i = 0; i < 100; ++i) {
    const Sequence child = crossed(*context, {0, 0, 0, 0}, {1, 1, 1, 1});
    EXPECT_LE(child.size(), 6u);
    both = both || std::set<env::ActionIndex>(child.begin(), child.end()).size() == 2;
  }
  EXPECT_TRUE(both);
  EXPECT_TRUE(crossed(*context, {}, {}).empty());
}

TEST(VariationTest, ACrossAtACommonActionGoesOnInTheOther) {
  ToyContext context(fakes::toySpec(9, fakes::kToyActions), 3);
  std::set<Sequence> children;
  for (int i = 0; i < 200; ++i) children.insert(crossedAtCommon(*context, {1}, {3, 1, 5}));
  EXPECT_EQ(children, (std::set<Sequence>{{1, 5}, {1}, {1, 1, 5}, {1, 3, 1}}))
      << "never behind the 3 at once";
  EXPECT_TRUE(crossedAtCommon(*context, {}, {}).empty());
}

TEST(VariationTest, ALargerTournamentFavoursTheFirst) {
  Rng rng(1);
  double small = 0, large = 0;
  for (int i = 0; i < 1000; ++i) {
    small += static_cast<double>(tournament(rng, 100, 1));
    large += static_cast<double>(tournament(rng, 100, 4));
  }
  EXPECT_NEAR(small / 1000, 49.5, 5);
  EXPECT_NEAR(large / 1000, 19.5, 4);  // the lowest of four: a fifth of the way
  EXPECT_EQ(tournament(rng, 1, 8), 0u);
}

}  // namespace
}  // namespace ordo::search
