#include "web/sessions.h"

#include <gtest/gtest.h>

#include "tests/unit/web/fixture.h"

namespace ordo::web {
namespace {

using SessionsTest = BenchFixture;

TEST_F(SessionsTest, ASessionGoesOnFromWhereItWasLeftAndLeadsWhereAReplayLeads) {
  Sessions sessions(bench_->program);
  const search::Sequence one = sequence({"sroa"}), two = sequence({"sroa", "early-cse<memssa>"});
  std::unique_ptr<env::Session> first = *sessions.take(one);
  const env::Session* const kept = first.get();
  sessions.leave(one, std::move(first));
  std::unique_ptr<env::Session> second = *sessions.take(two);
  EXPECT_EQ(second.get(), kept);
  EXPECT_EQ(sessions.size(), 0u);
  const std::unique_ptr<env::Session> replayed = *bench_->program.walk(two);
  EXPECT_EQ(*second->stateHash(), *replayed->stateHash());
}

TEST_F(SessionsTest, WhatIsNoBeginningIsNotUsed) {
  Sessions sessions(bench_->program);
  const search::Sequence other = sequence({"gvn"});
  sessions.leave(other, *sessions.take(other));
  const std::unique_ptr<env::Session> session = *sessions.take(sequence({"sroa"}));
  EXPECT_EQ(sessions.size(), 1u);
  EXPECT_EQ(*session->stateHash(), *(*bench_->program.walk(sequence({"sroa"})))->stateHash());
}

TEST_F(SessionsTest, WhatIsDoneAgainIsCounted) {
  Sessions sessions(bench_->program);
  sessions.leave(sequence({"sroa"}), *sessions.take(sequence({"sroa"})));
  EXPECT_EQ(sessions.replayed(), 1u);
  ASSERT_TRUE(sessions.take(sequence({"sroa", "gvn"})));  // which goes on, and is not left
  EXPECT_EQ(sessions.replayed(), 2u);
  ASSERT_TRUE(sessions.take(sequence({"sroa", "gvn"})));
  EXPECT_EQ(sessions.replayed(), 4u);
}

TEST_F(SessionsTest, OnlySomeWait) {
  Sessions sessions(bench_->program);
  for (const char* action : {"sroa", "gvn", "mem2reg", "inline", "clang-Oz", "clang-O1", "iroutliner"})
    sessions.leave(sequence({action}), *sessions.take(sequence({action})));
  EXPECT_EQ(sessions.size(), 6u);
}

}  // namespace
}  // namespace ordo::web
