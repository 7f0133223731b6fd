#include "llvm/advisors/eviction_advisor.h"

#include <gtest/gtest.h>

#include "env/plain_advisors.h"
#include "llvm/advisors/trial.h"
#include "notation/decisions.h"
#include "support/process.h"

namespace ordo::advisors {
namespace {

// Programs of a few lines evict nothing: what is too much is split or spilled.
Trial crowded() {
  const auto made = runProcess({"clang-22", ORDO_SOURCE_DIR "/suite/chess/chess.c", "-o", "-", "-c", "-w",
                                "-Oz", "-Xclang", "-disable-llvm-passes", "-emit-llvm"},
                               {.input = "", .dir = {}});
  EXPECT_TRUE(made && made->ok());
  const Result<Trial> trial = Trial::open(made->out, "chess");
  EXPECT_TRUE(trial) << trial.error().message;
  Result<Trial> behind = trial->optimised();
  EXPECT_TRUE(behind) << behind.error().message;
  return *std::move(behind);
}

Outcome runOf(const Trial& trial, env::Advisor& advisor) {
  Result<Outcome> outcome = trial.run(advisor);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return *std::move(outcome);
}

TEST(EvictionAdvisorTest, WhatIsUsualIsWhatLlvmDoes) {
  const Trial trial = crowded();
  env::UsualAdvisor usual(notation::evictDecision()), inlining(notation::inlineDecision());
  const Outcome advised = runOf(trial, usual);
  EXPECT_EQ(advised.code, runOf(trial, inlining).code);
  ASSERT_GT(advised.log.advice.size(), 10u);
  std::size_t evictions = 0;
  for (const env::Advice& one : advised.log.advice) {
    evictions += one.usual != 32;
    EXPECT_EQ(one.features[one.usual], 1) << "its own choice is in its mask";
  }
  EXPECT_GT(evictions, 0u);
}

TEST(EvictionAdvisorTest, IsFollowed) {
  const Trial trial = crowded();
  const env::AdviceLog usual = [&] {
    env::UsualAdvisor advisor(notation::evictDecision());
    return runOf(trial, advisor).log;
  }();
  env::RandomAdvisor random(notation::evictDecision(), 1);
  const Outcome other = runOf(trial, random);
  EXPECT_NE(other.log, usual);
  std::size_t changed = 0;
  for (const env::Advice& one : other.log.advice) changed += one.answer != one.usual;
  EXPECT_GT(changed, 5u);
}

TEST(EvictionAdvisorTest, ALogIsRepeatedWithTheSameQuestions) {
  const Trial trial = crowded();
  env::RandomAdvisor random(notation::evictDecision(), 3);
  const Outcome first = runOf(trial, random);
  env::RecordedAdvisor recorded(first.log);
  const Outcome again = runOf(trial, recorded);
  EXPECT_EQ(again.log, first.log);
  EXPECT_EQ(again.code, first.code);
  EXPECT_TRUE(recorded.faithful());
}

// Who wants to evict in circles is stopped by LLVM.
class Greedy final : public env::Advisor {
 public:
  const env::DecisionSpec& spec() const override { return notation::evictDecision(); }
  void begin(std::string_view) override {}
  std::uint32_t advise(const env::Question& question) override {
    for (std::uint32_t answer = 0; answer < 32; ++answer)
      if (question.allowed[answer] != 0) return answer;
    return question.usual;
  }
};

TEST(EvictionAdvisorTest, NoAdviceGoesOnForEver) {
  Greedy greedy;
  EXPECT_LT(runOf(crowded(), greedy).log.advice.size(), 100'000u);
}

TEST(EvictionAdvisorTest, FunctionsThatAskAreKnown) {
  const Trial trial = crowded();
  env::UsualAdvisor usual(notation::evictDecision());
  const Result<std::optional<std::string>> bitcode = trial.crowdedFunctions();
  ASSERT_TRUE(bitcode && *bitcode);
  const Result<Trial> crowd = Trial::openOptimised(**bitcode, "crowd");
  ASSERT_TRUE(crowd) << crowd.error().message;
  const Outcome all = runOf(trial, usual), some = runOf(*crowd, usual);
  EXPECT_EQ(some.log.advice.size(), all.log.advice.size());
  EXPECT_LT(some.code, all.code);
}

TEST(EvictionAdvisorTest, AnotherDecisionsAdviceIsNotFollowedHere) {
  const Trial trial = crowded();
  env::UsualAdvisor inlining(notation::inlineDecision());
  const std::uint64_t before = runOf(trial, inlining).code;
  Greedy greedy;
  runOf(trial, greedy);
  EXPECT_EQ(runOf(trial, inlining).code, before) << "advice stays behind";
}

}  // namespace
}  // namespace ordo::advisors
