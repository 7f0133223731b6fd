#include "campaigns/prior_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/catalog/catalog.h"
#include "tests/fakes/toy_context.h"

namespace ordo::campaigns {
namespace {

using testing::HasSubstr;

prior::File fileOf(const std::string& program) {
  prior::File file;
  file.programs[{program, "count"}] = {program, "count", {{{"dec", "dec", "dec"}, -1}, {{"what"}, -2}}, 1.5};
  return file;
}

TEST(PriorMethodTest, ProposalsAreMeasuredBeforeTheSearch) {
  const study::Method method = priorMethod("prior/greedy@1", *search::find("greedy"), fileOf("toy"));
  EXPECT_EQ(method.name, "prior/greedy@1");
  fakes::ToyContext context(fakes::toySpec(50, fakes::kToyActions));
  context.evaluator().limit({.evaluations = 2});  // the seed is one
  const auto attempt = method.make({.program = "toy", .objective = "count"});
  EXPECT_EQ(attempt->cpuSeconds(), 0);
  ASSERT_TRUE(attempt->run(*context));
  EXPECT_EQ(context->best().value, 47);
  EXPECT_EQ(attempt->cpuSeconds(), 1.5);
}

TEST(PriorMethodTest, NothingProposedIsSaid) {
  const study::Method method = priorMethod("p", *search::find("greedy"), fileOf("other"));
  fakes::ToyContext context(fakes::toySpec(50, fakes::kToyActions));
  const Status ran = method.make({.program = "toy", .objective = "count"})->run(*context);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("ordo agent propose"));
}

}  // namespace
}  // namespace ordo::campaigns
