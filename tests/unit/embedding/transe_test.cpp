#include "embedding/transe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ordo::embedding {
namespace {

constexpr auto kGoOn = [](std::size_t, double) { return true; };

// A world with a rule: entities on a line, relation k leads k + 1 places on.
std::vector<Triplet> line(std::uint32_t entities, std::uint32_t relations) {
  std::vector<Triplet> triplets;
  for (std::uint32_t head = 0; head < entities; ++head) {
    for (std::uint32_t relation = 0; relation < relations; ++relation) {
      if (head + relation + 1 < entities) triplets.push_back({head, relation, head + relation + 1});
    }
  }
  return triplets;
}

TEST(TranseTest, StartsWithEntitiesOfLengthOneAndKeepsThemSo) {
  Rng rng(1);
  Transe model(7, 2, 5, rng);
  const auto expectUnit = [&] {
    for (std::size_t i = 0; i < model.entities(); ++i) {
      float square = 0;
      for (const float x : model.entity(i)) square += x * x;
      EXPECT_NEAR(square, 1, 1e-5);  // float arithmetic on five numbers
    }
  };
  expectUnit();
  TranseOptions options;
  options.epochs = 50;
  model.fit(line(7, 2), options, rng, kGoOn);
  expectUnit();
}

TEST(TranseTest, DistanceIsTheLengthOfHeadPlusRelationMinusTail) {
  Rng rng(1);
  const Transe model(3, 1, 4, rng);
  const float there = model.distance({0, 0, 1});
  EXPECT_GT(there, 0);
  EXPECT_NE(there, model.distance({1, 0, 0}));
  // From an entity to itself only the relation is left, whichever entity it is.
  EXPECT_NEAR(model.distance({0, 0, 0}), model.distance({2, 0, 2}), 1e-6);  // float rounding
}

TEST(TranseTest, LearnsARuleWellEnoughToCompleteWhatItWasNotTaught) {
  const std::vector<Triplet> all = line(30, 4);
  Rng rng(5);
  const Split parts = split(all, 0.2, rng);
  Transe model(30, 4, 16, rng);
  const Ranking before = rank(model, parts.held_out, all);
  double first = 0, last = 0;
  TranseOptions options;
  options.epochs = 300;
  model.fit(parts.train, options, rng, [&](std::size_t epochs, double loss) {
    if (epochs == 1) first = loss;
    last = loss;
    return true;
  });
  const Ranking after = rank(model, parts.held_out, all);
  EXPECT_LT(last, first / 2);
  EXPECT_EQ(after.questions, 2 * parts.held_out.size());
  EXPECT_LT(after.mean_rank, before.mean_rank / 2);
  EXPECT_GT(after.hits_at_10, 0.9);
}

TEST(TranseTest, TheSameSeedGivesTheSameVectors) {
  const auto trained = [](std::uint64_t seed) {
    Rng rng(seed);
    Transe model(10, 2, 8, rng);
    TranseOptions options;
    options.epochs = 20;
    model.fit(line(10, 2), options, rng, kGoOn);
    return std::vector<float>(model.entity(3).begin(), model.entity(3).end());
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

TEST(TranseTest, TheOrderOfTheTripletsDoesNotMatter) {
  std::vector<Triplet> triplets = line(10, 2);
  const auto trained = [&] {
    Rng rng(1);
    Transe model(10, 2, 8, rng);
    TranseOptions options;
    options.epochs = 5;
    model.fit(triplets, options, rng, kGoOn);
    return std::vector<float>(model.entity(0).begin(), model.entity(0).end());
  };
  const auto forwards = trained();
  std::reverse(triplets.begin(), triplets.end());
  EXPECT_EQ(trained(), forwards);
}

TEST(TranseTest, StopsWhenToldTo) {
  Rng rng(1);
  Transe model(5, 1, 4, rng);
  std::size_t calls = 0;
  model.fit(line(5, 1), {}, rng, [&](std::size_t epochs, double) { return ++calls, epochs < 3; });
  EXPECT_EQ(calls, 3u);
}

TEST(TranseTest, NoTripletsAndARelationOfEverythingDoNotHang) {
  Rng rng(1);
  Transe model(2, 1, 4, rng);
  TranseOptions options;
  options.epochs = 3;
  model.fit({}, options, rng, kGoOn);
  model.fit({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}}, options, rng, kGoOn);
  EXPECT_TRUE(std::isfinite(model.distance({0, 0, 1})));
}

TEST(RankTest, OtherRightAnswersDoNotCountAgainstTheModel) {
  Rng rng(2);
  const Transe model(6, 1, 4, rng);
  // Everything is right, so that nothing wrong can be nearer.
  std::vector<Triplet> all;
  for (std::uint32_t head = 0; head < 6; ++head) {
    for (std::uint32_t tail = 0; tail < 6; ++tail) all.push_back({head, 0, tail});
  }
  const Ranking ranking = rank(model, all, all);
  EXPECT_EQ(ranking.mean_rank, 1);
  EXPECT_EQ(ranking.hits_at_10, 1);
  EXPECT_EQ(rank(model, {}, all).questions, 0u);
}

}  // namespace
}  // namespace ordo::embedding
