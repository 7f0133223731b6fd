#include "llvm/advisors/trial.h"

#include <gtest/gtest.h>

#include "env/plain_advisors.h"
#include "notation/decisions.h"
#include "tests/unit/llvm/advisors/sample.h"

namespace ordo::advisors {
namespace {

TEST(TrialTest, WhatIsUsualIsAsLargeAsWhatClangMakes) {
  env::UsualAdvisor usual(notation::inlineDecision());
  const Result<ir::ObjectSizes> clangs = ir::objectSizes(clang({}));
  ASSERT_TRUE(clangs);
  EXPECT_EQ(outcomeOf(sample(), usual).code, clangs->code);
}

TEST(TrialTest, AdviceFromOneRunDoesNotReachTheNext) {
  env::UsualAdvisor usual(notation::inlineDecision());
  env::ListedAdvisor all(notation::inlineDecision(), {1, 1, 1, 1, 1, 1});
  const Result<Trial> trial = Trial::open(sample(), "sample");
  ASSERT_TRUE(trial);
  const std::uint64_t first = trial->run(usual)->code;
  EXPECT_GT(trial->run(all)->code, first);
  EXPECT_EQ(trial->run(usual)->code, first);
}

TEST(TrialTest, BehindThePipelineThereIsTheSameCodeToMake) {
  env::UsualAdvisor usual(notation::evictDecision());
  const Result<Trial> trial = Trial::open(sample(), "sample");
  ASSERT_TRUE(trial);
  const Result<Trial> behind = trial->optimised();
  ASSERT_TRUE(behind) << behind.error().message;
  EXPECT_EQ(behind->run(usual)->code, trial->run(usual)->code);
  EXPECT_EQ(behind->run(usual)->log, trial->run(usual)->log);
}

TEST(TrialTest, WhatIsNoModuleIsRefused) {
  const Result<Trial> trial = Trial::open("no bitcode", "some.bc");
  ASSERT_FALSE(trial);
  EXPECT_NE(trial.error().message.find("some.bc"), std::string::npos);
}

}  // namespace
}  // namespace ordo::advisors
