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

}  // namespace
}  // namespace ordo::notation
