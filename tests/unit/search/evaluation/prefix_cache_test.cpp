#include "search/evaluation/prefix_cache.h"

#include <gtest/gtest.h>

#include <set>

#include "search/evaluation/evaluation.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

const std::vector<env::Action> kActions = fakes::toySpec(1, {"dec", "composite=dec,dec,dec,dec"}).actions;

std::unique_ptr<env::Session> anySession() {
  auto session = fakes::ToyBackend().open(fakes::toySpec(9, {"dec"}));
  return *std::move(session);
}

std::optional<std::size_t> sight(PrefixCache& cache, const Sequence& actions, std::size_t from = 0) {
  return cache.sight(actions, prefixHashes(actions), from);
}

TEST(PrefixHashesTest, DifferForDifferentPrefixesAndAgreeForCommonOnes) {
  const auto a = prefixHashes(Sequence{1, 0, 1});
  const auto b = prefixHashes(Sequence{1, 0, 0});
  ASSERT_EQ(a.size(), 4u);
  EXPECT_EQ(std::set<Hash128>(a.begin(), a.end()).size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a[i], b[i]);
  EXPECT_NE(a[3], b[3]);
}

TEST(PrefixCacheTest, ALightPrefixMustBeSeenOftenerThanAHeavyOne) {
  PrefixCache cache(8, kActions);
  EXPECT_FALSE(sight(cache, {0}));
  EXPECT_FALSE(sight(cache, {0}));
  EXPECT_FALSE(sight(cache, {0}));
  EXPECT_EQ(sight(cache, {0}), 1u);
  EXPECT_FALSE(sight(cache, {1}));
  EXPECT_EQ(sight(cache, {1}), 1u);
}

TEST(PrefixCacheTest, TheSnapshotGoesWhereSequencesPart) {
  PrefixCache cache(8, kActions);
  EXPECT_FALSE(sight(cache, {0, 0, 0, 0, 1}));
  EXPECT_EQ(sight(cache, {0, 0, 0, 0, 0}), 4u);
}

TEST(PrefixCacheTest, WhatASnapshotCoversDoesNotCount) {
  PrefixCache cache(8, kActions);
  EXPECT_FALSE(sight(cache, {0, 0, 0, 0, 0}, 3));
  EXPECT_FALSE(sight(cache, {0, 0, 0, 0, 0}, 3));
  EXPECT_EQ(sight(cache, {0, 0, 0, 0, 0}, 3), 5u);
}

TEST(PrefixCacheTest, FindsTheLongestPrefixAndDropsTheLeastRecentlyUsed) {
  PrefixCache cache(2, kActions);
  const auto prefixes = prefixHashes(Sequence{0, 1, 0});
  cache.insert(prefixes[1], anySession());
  cache.insert(prefixes[2], anySession());
  EXPECT_EQ(cache.find(prefixes).length, 2u);
  EXPECT_EQ(cache.find(std::span(prefixes).first(2)).length, 1u);
  cache.insert(prefixes[3], anySession());
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.find(std::span(prefixes).first(3)).length, 1u) << "prefix 2 was the oldest";
  EXPECT_EQ(cache.find(prefixes).length, 3u);
}

TEST(PrefixCacheTest, WithoutCapacityThereAreNoSnapshots) {
  PrefixCache cache(0, kActions);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(sight(cache, {1, 1}));
}

}  // namespace
}  // namespace ordo::search
