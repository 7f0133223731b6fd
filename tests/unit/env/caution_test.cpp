#include "env/caution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::env {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CautionTest : public testing::Test {
 protected:
  void killed(const Hash128& state, const std::string& action) {
    ledger_.record({state, action, StepStatus::kCrashed, "", "", 1});
  }

  const Hash128 here_ = hashBytes("here"), there_ = hashBytes("there");
  CrashLedger ledger_;
  const SessionSpec spec_ = fakes::toySpec(10, {"noop", "dec", "inc"});
  Caution caution_{ledger_, spec_};
};

TEST_F(CautionTest, WithAnEmptyLedgerNothingIsLookedUp) {
  EXPECT_EQ(caution_.harmless(std::vector<ActionIndex>{0, kPipe, 2}), 3u);
  EXPECT_FALSE(caution_.neededFor({.actions = {0, 1, 2}, .metrics = {"count"}}));
  EXPECT_FALSE(caution_.masksAny());
  std::vector<std::uint8_t> legal;
  caution_.mask(here_, legal);
  EXPECT_THAT(legal, IsEmpty());
}

TEST_F(CautionTest, WhatKilledIsMaskedInItsStateOnly) {
  killed(here_, "dec");
  EXPECT_TRUE(caution_.masksAny());
  std::vector<std::uint8_t> legal;
  caution_.mask(there_, legal);
  EXPECT_THAT(legal, IsEmpty());
  caution_.mask(here_, legal);
  EXPECT_THAT(legal, ElementsAre(1, 0, 1));
  legal = {0, 1, 1};
  caution_.mask(here_, legal);
  EXPECT_THAT(legal, ElementsAre(0, 0, 1)) << "what the session forbids stays forbidden";
}

TEST_F(CautionTest, ADeathThatIsNewIsSeen) {
  EXPECT_FALSE(caution_.masksAny());
  killed(here_, "inc");
  EXPECT_TRUE(caution_.masksAny());
  std::vector<std::uint8_t> legal;
  caution_.mask(here_, legal);
  EXPECT_THAT(legal, ElementsAre(1, 1, 0));
}

TEST_F(CautionTest, ARequestNeedsCareIfAnythingInItIsMentioned) {
  killed(here_, "dec");
  killed(here_, "measure:cost");
  killed(here_, "session:pipe");
  EXPECT_EQ(caution_.harmless(std::vector<ActionIndex>{0, 2, 1, 0}), 2u);
  EXPECT_EQ(caution_.harmless(std::vector<ActionIndex>{0, kPipe}), 1u);
  EXPECT_TRUE(caution_.neededFor({.actions = {1}}));
  EXPECT_TRUE(caution_.neededFor({.metrics = {"count", "cost"}}));
  EXPECT_FALSE(caution_.neededFor({.actions = {0, 2}, .metrics = {"count"}}));
  EXPECT_TRUE(caution_.killsIn(here_, ActionIndex{1}));
  EXPECT_FALSE(caution_.killsIn(there_, ActionIndex{1}));
  EXPECT_TRUE(caution_.killsIn(here_, "cost"));
  EXPECT_FALSE(caution_.killsIn(here_, "count"));
}

}  // namespace
}  // namespace ordo::env
