#include "llvm/advisors/speed_trial.h"

#include <gtest/gtest.h>

#include "env/plain_advisors.h"
#include "notation/decisions.h"
#include "tests/unit/llvm/advisors/sample.h"

namespace ordo::advisors {
namespace {

TEST(SpeedTrialTest, WhatIsUsualCostsWhatItAlwaysCosts) {
  env::UsualAdvisor usual(notation::inlineDecision());
  const Result<SpeedTrial> trial = SpeedTrial::open(sample(), "sample");
  ASSERT_TRUE(trial) << trial.error().message;
  const Result<SpeedOutcome> outcome = trial->run(usual);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->cost, kUsualCost);
  EXPECT_FALSE(outcome->log.advice.empty());
}

TEST(SpeedTrialTest, ToInlineNothingCostsTimeAndTheNextRunDoesNotKnow) {
  env::UsualAdvisor usual(notation::inlineDecision());
  env::ListedAdvisor none(notation::inlineDecision(), std::vector<std::uint32_t>(100, 0));
  constexpr std::string_view kHot =
      "static int next(int x) { return x * 1103515245 + 12345; }\n"
      "int f(int n) { int x = n; for (int i = 0; i < n; ++i) x ^= next(x); return x; }\n";
  const auto made = runProcess(
      {"clang-22", "-x", "c", "-", "-o", "-", "-c", "-O3", "-Xclang", "-disable-llvm-passes", "-emit-llvm"},
      {.input = std::string(kHot), .dir = {}});
  ASSERT_TRUE(made && made->ok());
  const Result<SpeedTrial> trial = SpeedTrial::open(made->out, "hot");
  ASSERT_TRUE(trial);
  EXPECT_GT(trial->run(none)->cost, kUsualCost);
  EXPECT_EQ(trial->run(usual)->cost, kUsualCost);
}

TEST(SpeedTrialTest, WhatIsNoModuleIsRefused) { EXPECT_FALSE(SpeedTrial::open("no bitcode", "some.bc")); }

}  // namespace
}  // namespace ordo::advisors
