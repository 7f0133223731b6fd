#include "notation/decisions.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace ordo::notation {
namespace {

// That they are LLVM's names is held by tests/unit/llvm/advisors/inline_advisor_test.cpp.
TEST(DecisionsTest, InliningHasTheFeaturesOfMlgoEachOnce) {
  const env::DecisionSpec& spec = inlineDecision();
  EXPECT_EQ(spec.features.size(), 38u);
  EXPECT_EQ(std::set<std::string>(spec.features.begin(), spec.features.end()).size(), 38u);
  EXPECT_EQ(spec.answers, (std::vector<std::string>{"no", "yes"}));
}

TEST(DecisionsTest, VectorFactorsAreNamedAfterWhatTheyAre) {
  const env::DecisionSpec& spec = vectorFactorsDecision();
  EXPECT_EQ(std::set<std::string>(spec.features.begin(), spec.features.end()).size(), spec.features.size());
  EXPECT_EQ(spec.answers[0], "llvm");
  EXPECT_EQ(vectorFactorsOf(0), std::nullopt);
  for (std::uint32_t answer = 1; answer < spec.answers.size(); ++answer) {
    const std::optional<VectorFactors> factors = vectorFactorsOf(answer);
    ASSERT_TRUE(factors);
    EXPECT_EQ(spec.answers[answer],
              std::to_string(factors->width) + "x" + std::to_string(factors->interleave));
  }
}

// That they are LLVM's is held by tests/e2e/advisors.sh, with the channel of stock llc.
TEST(DecisionsTest, EvictionHasTheTensorsOfMlgo) {
  const env::DecisionSpec& spec = evictDecision();
  EXPECT_EQ(spec.features.size(), 20 * 33 + 1u);
  EXPECT_EQ(std::set<std::string>(spec.features.begin(), spec.features.end()).size(), spec.features.size());
  EXPECT_EQ(spec.features[0], "mask[0]");
  EXPECT_EQ(spec.features[33], "is_free[0]");
  EXPECT_EQ(spec.features.back(), "progress");
  EXPECT_EQ(spec.answers.size(), 33u);
  EXPECT_EQ(spec.answers.back(), "self");
}

TEST(DecisionsTest, AnswersAreAllowedByTheMaskOfEvictions) {
  std::vector<float> features(evictDecision().features.size(), 0);
  features[2] = features[32] = 1;
  std::vector<std::uint8_t> allowed(33, 0);
  allowed[2] = allowed[32] = 1;
  EXPECT_EQ(allowedBy(evictDecision(), features), allowed);
  EXPECT_EQ(allowedBy(inlineDecision(), std::vector<float>(38, 0)), (std::vector<std::uint8_t>{1, 1}));
}

TEST(DecisionsTest, WhatLlvmCannotDivideIsANumber) {
  EXPECT_EQ(boundedFeature(0.5f), 0.5f);
  EXPECT_EQ(boundedFeature(-std::numeric_limits<float>::infinity()), -1e6f);
  EXPECT_EQ(boundedFeature(std::numeric_limits<float>::quiet_NaN()), 0);
}

}  // namespace
}  // namespace ordo::notation
