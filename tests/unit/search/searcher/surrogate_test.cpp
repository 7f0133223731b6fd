#include "search/searcher/surrogate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fakes/toy_context.h"

namespace ordo::search {
namespace {

using fakes::ToyContext;

// Has evaluated and learned `count` random sequences.
Surrogate learned(ToyContext& context, std::size_t count) {
  Surrogate surrogate(*context);
  std::vector<Sequence> batch(count);
  for (Sequence& sequence : batch) sequence = context->randomSequence();
  surrogate.observe(context->evaluate(std::move(batch)));
  surrogate.fit();
  return surrogate;
}

TEST(SurrogateTest, PredictsWhatSequencesCost) {
  ToyContext context(fakes::toySpec(20, {"noop", "dec", "inc"}), 8);
  const Surrogate surrogate = learned(context, 200);
  EXPECT_LT(surrogate.predict({1, 1, 1, 1, 1, 1}).mean, 0.85);
  EXPECT_GT(surrogate.predict({2, 2, 2, 2, 2, 2}).mean, 1.15);
  EXPECT_NE(surrogate.byImportance().front(), 0u) << "nothing depends on noop";
}

TEST(SurrogateTest, FailuresCostAsMuchAsTheWorst) {
  ToyContext context(fakes::toySpec(20, {"dec", "crash"}), 6);
  const Surrogate surrogate = learned(context, 60);
  EXPECT_GT(surrogate.predict({0, 1, 0}).mean, 3);
  EXPECT_EQ(surrogate.byImportance().front(), 1u);
}

TEST(SurrogateTest, ImprovementIsExpectedWhereItIsLikely) {
  ToyContext context(fakes::toySpec(20, {"noop", "dec", "inc"}), 8);
  const Surrogate surrogate = learned(context, 200);
  EXPECT_GT(surrogate.expectedImprovement({1, 1, 1, 1, 1, 1, 1}), surrogate.expectedImprovement({2, 2, 2}));
  EXPECT_GE(surrogate.expectedImprovement({2, 2, 2}), 0);
}

TEST(SurrogateTest, KnowsHowWellItPredicted) {
  ToyContext context(fakes::toySpec(20, {"noop", "dec", "inc"}), 8);
  Surrogate surrogate = learned(context, 200);
  EXPECT_TRUE(std::isinf(surrogate.error())) << "there was no forest to predict with";
  surrogate.observe(context->evaluate({{1, 2, 1}, {2, 0, 2, 1}}));
  EXPECT_LT(surrogate.error(), 0.1);
}

TEST(SurrogateTest, WhatIsKnownIsNotLearnedTwice) {
  ToyContext context(fakes::toySpec(20, {"dec"}), 8);
  Surrogate surrogate(*context);
  EXPECT_EQ(surrogate.observations(), 1u) << "the seed";
  const std::vector<Evaluation> results = context->evaluate({{0}, {}, {0}});
  surrogate.observe(results);
  surrogate.observe(results);
  EXPECT_EQ(surrogate.observations(), 2u);
  EXPECT_TRUE(surrogate.knows({0}));
  EXPECT_FALSE(surrogate.knows({0, 0}));
}

TEST(SurrogateTest, TheLoopEvaluatesTheBestNewCandidates) {
  ToyContext context(fakes::toySpec(20, {"dec", "inc"}), 4);
  context.evaluator().limit({.evaluations = 4});
  searchBySurrogate(*context, 1, [](const Surrogate&) {
    return std::vector<Candidate>{{{1, 1}, 0.1}, {{}, 0.9}, {{0, 0, 0}, 0.8}, {{0, 0}, 0.2}};
  });
  EXPECT_EQ(context->best().actions, (Sequence{0, 0, 0}));
}

}  // namespace
}  // namespace ordo::search
