#include "llvm/advisors/inline_advisor.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/MLInlineAdvisor.h>

#include "env/plain_advisors.h"
#include "llvm/advisors/trial.h"
#include "notation/decisions.h"
#include "tests/unit/llvm/advisors/sample.h"

namespace ordo::advisors {
namespace {

TEST(InlineAdvisorTest, TheDecisionHasTheFeaturesOfMlgo) {
  std::vector<std::string> names;
  for (const llvm::TensorSpec& feature : llvm::MLInlineAdvisor::getInitialFeatureMap())
    names.push_back(feature.name());
  EXPECT_EQ(notation::inlineDecision().features, names);
}

TEST(InlineAdvisorTest, OnlyWhatMayBeInlinedIsAskedAbout) {
  env::UsualAdvisor usual(notation::inlineDecision());
  const Outcome outcome = outcomeOf(sample(), usual);
  ASSERT_EQ(outcome.log.advice.size(), 4u) << "small, large, large, recursive: not by itself, and not other";
  std::size_t yes = 0;
  for (const env::Advice& advice : outcome.log.advice) yes += advice.usual;
  EXPECT_EQ(yes, 1u) << "small";
}

TEST(InlineAdvisorTest, IsFollowed) {
  env::UsualAdvisor usual(notation::inlineDecision());
  env::ListedAdvisor none(notation::inlineDecision(), {0, 0, 0, 0, 0, 0}),
      all(notation::inlineDecision(), {1, 1, 1, 1, 1, 1});
  const std::uint64_t as_usual = outcomeOf(sample(), usual).code;
  EXPECT_NE(outcomeOf(sample(), none).code, as_usual);
  EXPECT_GT(outcomeOf(sample(), all).code, as_usual);
}

TEST(InlineAdvisorTest, ALogIsRepeatedWithTheSameQuestions) {
  env::RandomAdvisor random(notation::inlineDecision(), 3);
  const Outcome first = outcomeOf(sample(), random);
  env::RecordedAdvisor recorded(first.log);
  EXPECT_EQ(outcomeOf(sample(), recorded).log, first.log);
  EXPECT_TRUE(recorded.faithful());
}

}  // namespace
}  // namespace ordo::advisors
