#include "cli/summary.h"

#include <gmock/gmock.h>

#include "env/metric.h"

namespace ordo::cli {
namespace {

using ::testing::HasSubstr;

recipe::Recipe recipeFor(const char* program, double baseline, double tuned) {
  recipe::Recipe recipe;
  recipe.program = program;
  recipe.baseline = "clang-Oz";
  recipe.objective = "text_bytes";
  recipe.figures = {{"text_bytes", baseline, baseline * 2, tuned}};
  return recipe;
}

TEST(SummaryTest, ShowsEveryProgramAndTheMean) {
  const std::string text = summaryTable({recipeFor("a", 1000, 900), recipeFor("b", 200, 200)}, 0);
  EXPECT_THAT(text, HasSubstr("-10.00 %"));
  EXPECT_THAT(text, HasSubstr("mean of 2 programs, 95 % interval: -5.00 % [-10.00, +0.00] against clang-Oz"));
  EXPECT_THAT(text, HasSubstr("against bare-Oz"));
}

TEST(SummaryTest, FailuresStayInTheMean) {
  const std::string text = summaryTable({recipeFor("a", 1000, 900)}, 1);
  EXPECT_THAT(text, HasSubstr("mean of 2 programs, 95 % interval: -5.00 %"));
  EXPECT_THAT(text, HasSubstr("1 without a result count as no change"));
}

TEST(SummaryTest, OneProgramIsNoMeanAndHasNoInterval) {
  const std::string text = summaryTable({recipeFor("a", 1000, 900)}, 0);
  EXPECT_THAT(text, HasSubstr("-10.00 %"));
  EXPECT_THAT(text, testing::Not(HasSubstr("interval")));
}

TEST(SummaryTest, OfRunTimeTheVerdictIsSaidAndNothingBare) {
  recipe::Recipe timed = recipeFor("a", 0.020, 0.016);
  timed.objective = timed.figures[0].metric = env::kRuntime;
  timed.timing.emplace().verdict = "faster";
  const std::string text = summaryTable({timed}, 0);
  EXPECT_THAT(text, HasSubstr("16.00 ms     20.00 ms   -20.00 %  faster"));
  EXPECT_THAT(text, testing::Not(HasSubstr("bare")));
}

TEST(SummaryTest, NothingTunedIsNothingToSay) { EXPECT_EQ(summaryTable({}, 3), ""); }

}  // namespace
}  // namespace ordo::cli
