#include "search/evaluation/front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/rng.h"

namespace ordo::search {
namespace {

using testing::ElementsAre;
using Values = std::vector<double>;

std::vector<Values> valuesOf(const std::vector<FrontPoint>& points) {
  std::vector<Values> values;
  for (const FrontPoint& point : points) values.push_back(point.values);
  return values;
}

TEST(FrontTest, ToDominateIsToBeNowhereWorseAndSomewhereBetter) {
  EXPECT_TRUE(dominates(Values{1, 2}, Values{1, 3}));
  EXPECT_TRUE(dominates(Values{1, 2}, Values{2, 3}));
  EXPECT_FALSE(dominates(Values{1, 2}, Values{1, 2}));
  EXPECT_FALSE(dominates(Values{1, 3}, Values{2, 2}));
  EXPECT_FALSE(dominates(Values{1, 3}, Values{1, 2}));
}

TEST(FrontTest, WhatIsDominatedLeaves) {
  Front front;
  EXPECT_TRUE(front.insert({{1}, {5, 5}}));
  EXPECT_TRUE(front.insert({{2}, {3, 7}}));
  EXPECT_FALSE(front.insert({{3}, {5, 6}}));
  EXPECT_TRUE(front.insert({{4}, {7, 1}}));
  EXPECT_THAT(valuesOf(front.points()), ElementsAre(Values{3, 7}, Values{5, 5}, Values{7, 1}));
  EXPECT_TRUE(front.insert({{5}, {3, 1}}));
  EXPECT_THAT(valuesOf(front.points()), ElementsAre(Values{3, 1}));
}

TEST(FrontTest, OfEqualsTheShortestStaysAndAmongThoseTheFirst) {
  Front front;
  front.insert({{1, 2}, {5, 5}});
  EXPECT_FALSE(front.insert({{3, 4}, {5, 5}}));
  EXPECT_EQ(front.points().front().actions, (Sequence{1, 2}));
  EXPECT_TRUE(front.insert({{6}, {5, 5}}));
  ASSERT_EQ(front.points().size(), 1u);
  EXPECT_EQ(front.points().front().actions, Sequence{6});
}

// The definition itself: a point is there if nothing dominates it, once for each of its values.
std::vector<Values> byDefinition(const std::vector<Values>& all) {
  std::vector<Values> front;
  for (const Values& point : all) {
    if (std::ranges::none_of(all, [&](const Values& other) { return dominates(other, point); }))
      front.push_back(point);
  }
  std::ranges::sort(front);
  front.erase(std::unique(front.begin(), front.end()), front.end());
  return front;
}

// Small integers, so that there are many ties.
TEST(FrontTest, IsWhatTheDefinitionSaysInWhateverOrderPointsCome) {
  Rng rng(7);
  for (int round = 0; round < 400; ++round) {
    const std::size_t metrics = rng.between(1, 4);
    std::vector<Values> all(rng.between(1, 60), Values(metrics));
    for (Values& point : all) {
      for (double& value : point) value = static_cast<double>(rng.below(8));
    }
    const std::vector<Values> expected = byDefinition(all);
    for (int order = 0; order < 2; ++order) {
      Front front;
      for (const Values& point : all) front.insert({{}, point});
      EXPECT_EQ(valuesOf(front.points()), expected) << round;
      rng.shuffle(std::span(all));
    }
  }
}

TEST(FrontTest, SpreadKeepsTheBestOfEachMetricAndThinsOutWhatIsCrowded) {
  Front front;
  for (const double x : {0.0, 1.0, 2.0, 3.0, 50.0, 100.0}) front.insert({{}, {x, 100 - x}});
  EXPECT_THAT(valuesOf(front.spread(4)),
              ElementsAre(Values{0, 100}, Values{3, 97}, Values{50, 50}, Values{100, 0}));
  EXPECT_THAT(valuesOf(front.spread(2)), ElementsAre(Values{0, 100}, Values{100, 0}));
  EXPECT_EQ(front.spread(9).size(), 6u);
}

TEST(FrontTest, SpreadIsPartOfTheFrontWithItsExtremes) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t metrics = rng.between(2, 3);
    Front front;
    for (int i = 0; i < 60; ++i) {
      Values point(metrics);
      for (double& value : point) value = static_cast<double>(rng.below(30));
      front.insert({{}, point});
    }
    const std::vector<Values> all = valuesOf(front.points()), few = valuesOf(front.spread(4));
    EXPECT_EQ(few.size(), std::min<std::size_t>(all.size(), 4));
    EXPECT_TRUE(std::ranges::is_sorted(few));
    EXPECT_TRUE(std::ranges::includes(all, few));
    for (std::size_t metric = 0; metric < metrics; ++metric) {
      const auto least = [&](const std::vector<Values>& points) {
        return (*std::ranges::min_element(points, {},
                                          [&](const Values& point) { return point[metric]; }))[metric];
      };
      EXPECT_EQ(least(few), least(all)) << round;
    }
  }
}

}  // namespace
}  // namespace ordo::search
