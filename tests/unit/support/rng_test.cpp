#include "support/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace ordo {
namespace {

using testing::ElementsAre;

// Seeds are part of recipes, so these numbers may never change. The first are those of the reference
// implementations: splitmix64 from 0 as state, then xoshiro256**.
TEST(RngTest, IsXoshiro256StarStarForever) {
  Rng zero(0);
  EXPECT_THAT((std::array{zero.next(), zero.next(), zero.next()}),
              ElementsAre(11091344671253066420u, 13793997310169335082u, 1900383378846508768u));
  Rng one(1);
  EXPECT_THAT((std::array{one.below(1000), one.below(1000), one.below(1000), one.below(1000)}),
              ElementsAre(557u, 522u, 900u, 383u));
  EXPECT_DOUBLE_EQ(Rng(42).uniform(), 0.08386297105988216);
  EXPECT_EQ(Rng(7).stream(3).next(), 2434250433958561164u);
}

TEST(RngTest, BelowStaysBelowAndReachesEverything) {
  Rng rng(2);
  for (std::uint64_t bound : {1u, 2u, 3u, 7u, 16u}) {
    std::vector<int> seen(bound);
    for (int i = 0; i < 2000; ++i) ++seen.at(rng.below(bound));
    EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0);
  }
  for (int i = 0; i < 100; ++i) EXPECT_LT(rng.below(~0ull), ~0ull);
}

// 60,000 throws: each face is expected 10,000 times with a deviation of 91; five of them is far.
TEST(RngTest, BelowIsUniform) {
  Rng rng(3);
  std::array<int, 6> seen{};
  for (int i = 0; i < 60000; ++i) ++seen[rng.below(6)];
  for (int count : seen) EXPECT_NEAR(count, 10000, 5 * 91);
}

TEST(RngTest, BetweenIncludesBothEnds) {
  Rng rng(4);
  std::vector<int> seen(5);
  for (int i = 0; i < 200; ++i) ++seen.at(rng.between(2, 4));
  EXPECT_THAT(seen, ElementsAre(0, 0, testing::Gt(0), testing::Gt(0), testing::Gt(0)));
  EXPECT_EQ(rng.between(9, 9), 9u);
}

TEST(RngTest, UniformAndChanceAreProbabilities) {
  Rng rng(5);
  double sum = 0;
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = rng.uniform();
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
    sum += value;
    hits += rng.chance(0.25) ? 1 : 0;
    EXPECT_FALSE(rng.chance(0));
    EXPECT_TRUE(rng.chance(1));
  }
  // Five standard deviations: 0.29 and 0.43, each over the root of 10,000.
  EXPECT_NEAR(sum / 10000, 0.5, 0.015);
  EXPECT_NEAR(hits / 10000.0, 0.25, 0.022);
}

TEST(RngTest, ShuffleKeepsTheItemsAndPickTakesOneOfThem) {
  Rng rng(6);
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  rng.shuffle(std::span(shuffled));
  EXPECT_NE(shuffled, items);
  EXPECT_THAT(items, testing::Contains(rng.pick(std::span(shuffled))));
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

TEST(RngTest, StreamsDifferFromEachOtherAndDoNotDisturbTheirSource) {
  Rng source(7), untouched(7);
  std::vector<std::uint64_t> first;
  for (std::uint64_t index = 0; index < 100; ++index) first.push_back(source.stream(index).next());
  EXPECT_EQ(source.stream(50).next(), first[50]);
  EXPECT_EQ(source.next(), untouched.next());
  std::sort(first.begin(), first.end());
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
}

}  // namespace
}  // namespace ordo
