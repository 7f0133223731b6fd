#include "study/method.h"

#include <gtest/gtest.h>

#include "search/catalog/catalog.h"
#include "tests/fakes/toy_context.h"

namespace ordo::study {
namespace {

TEST(MethodTest, ASearcherIsAMethodWithoutProcesses) {
  const Method method = searcherMethod(*search::find("greedy"));
  EXPECT_EQ(method.name, "greedy");
  fakes::ToyContext context(fakes::toySpec(50, fakes::kToyActions));
  context.evaluator().limit({.evaluations = 60});
  const auto attempt = method.make({});
  EXPECT_TRUE(attempt->run(*context));
  EXPECT_LT(context->best().value, 50);
  EXPECT_EQ(attempt->cpuSeconds(), 0);
  EXPECT_EQ(attempt->startCpuSeconds(), 0);
}

}  // namespace
}  // namespace ordo::study
