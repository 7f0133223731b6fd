#include "search/searcher/descent.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_context.h"

namespace ordo::search {
namespace {

TEST(DescentTest, TakesTheBestActionUntilNoneImproves) {
  fakes::ToyContext context(fakes::toySpec(12, {"inc", "dec", "halve-if-multiple-of-4"}));
  descend(*context, context->best(), 0);
  EXPECT_EQ(context->best().actions, (Sequence{2, 1, 1, 2, 1})) << "12, 6, 5, 4, 2, 1";
}

TEST(DescentTest, ARandomActionMayLeaveAnOptimum) {
  // One "enable" makes the program worse, and all that follow better.
  fakes::ToyContext context(fakes::toySpec(30, {"dec", "enable"}), 8);
  descend(*context, context->best(), 0);
  EXPECT_EQ(context->best().value, 22);
  for (int i = 0; i < 20; ++i) descend(*context, context->seeds().front(), 0.3);
  EXPECT_LT(context->best().value, 15);
}

TEST(DescentTest, EndsWhereEverythingFails) {
  fakes::ToyContext context(fakes::toySpec(30, {"break", "crash"}));
  descend(*context, context->best(), 0);
  EXPECT_EQ(context->best().value, 30);
  context.evaluator().limit({.evaluations = 200});
  descend(*context, context->best(), 0.5);
  EXPECT_LE(context.evaluator().statistics().evaluations, 200u);
}

}  // namespace
}  // namespace ordo::search
