#include "notation/decisions.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ordo::notation
