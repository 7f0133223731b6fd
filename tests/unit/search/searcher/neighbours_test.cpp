#include "search/searcher/neighbours.h"

#include <gtest/gtest.h>

namespace ordo::search {
namespace {

using Order = std::vector<std::size_t>;

TEST(NeighboursTest, EachFeatureCountsInUnitsOfItsSpread) {
  // The second feature varies by thousands; in its units the first example is the nearer one.
  Knowledge knowledge{.examples = {{{0, 1000}, {}}, {{1, 3000}, {}}}, .features = {0.4, 1000}};
  EXPECT_EQ(neighboursOf(knowledge), (Order{0, 1}));
  knowledge.features = {0.6, 2900};
  EXPECT_EQ(neighboursOf(knowledge), (Order{1, 0}));
}

TEST(NeighboursTest, WhatNeverVariesSaysNothingAndEqualsKeepTheirOrder) {
  const Knowledge knowledge{.examples = {{{5}, {}}, {{5}, {}}, {{5}, {}}}, .features = {1000}};
  EXPECT_EQ(neighboursOf(knowledge), (Order{0, 1, 2}));
}

TEST(NeighboursTest, NothingIsNearWhatNobodyKnows) {
  EXPECT_TRUE(neighboursOf({.examples = {{{1}, {}}}}).empty());
  EXPECT_TRUE(neighboursOf({.features = {1}}).empty());
}

}  // namespace
}  // namespace ordo::search
