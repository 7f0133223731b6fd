#include "mlir/model/step.h"

#include <gtest/gtest.h>

#include <set>

namespace ordo::model {
namespace {

TEST(Step, WhatIsWrittenIsRead) {
  std::set<std::string> names;
  for (const Step& step : allSteps()) {
    EXPECT_EQ(Step::parse(step.text()), step) << step.text();
    EXPECT_TRUE(names.insert(step.text()).second) << step.text();
  }
  EXPECT_EQ((Step{StepType::kVectorize, {14, 32, 1}}).text(), "vectorize<14,32,1>");
  EXPECT_EQ((Step{StepType::kStop, {}}).text(), "stop");
}

TEST(Step, WhatIsNoStepIsRefused) {
  for (const char* text :
       {"", "tile", "tile<>", "tile<1>", "tile<1,2", "tile<1,2>>", "tile<1,2,3>", "tile<-1,2>",
        "tile<1,99999999999999999999>", "stop<1>", "stop ", "melt<1>", "tile<1;2>", "unroll<x>"})
    EXPECT_EQ(Step::parse(text), std::nullopt) << text;
}

TEST(ParseSteps, RefusesWhatIsNone) {
  EXPECT_EQ(parseSteps("stop;;stop"), std::nullopt);
  EXPECT_EQ(parseSteps("stop;melt"), std::nullopt);
  EXPECT_TRUE(parseSteps("")->empty());
}

}  // namespace
}  // namespace ordo::model
