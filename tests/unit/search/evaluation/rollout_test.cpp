#include "search/evaluation/rollout.h"

#include <gtest/gtest.h>

#include "support/rng.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

enum : env::ActionIndex { kDec, kInc, kNoop, kCrash, kPoison };

class RolloutTest : public testing::Test {
 protected:
  // `choices` one after the other, whatever is seen.
  RolloutEnd follow(const Sequence& start, const Sequence& choices, std::size_t max_length = 60) {
    std::size_t next = 0;
    const Rollout rollout{start,
                          [&](const Sequence&, const RolloutState& state) {
                            dead_.assign(state.dead.begin(), state.dead.end());
                            return next < choices.size() ? std::optional(choices[next++]) : std::nullopt;
                          },
                          [&](const Sequence& actions, const RolloutState& state) {
                            ended_.emplace_back(actions, state.observations.front().int64s().front());
                          }};
    auto end = rollOut(lane_, graph_, rollout, observations_, max_length, [&] { return next == late_; });
    EXPECT_TRUE(end);
    return *std::move(end);
  }

  fakes::ToyBackend backend_;
  Lane lane_{*backend_.open(fakes::toySpec(100, {"dec", "inc", "noop", "crash", "poison"})), 4};
  StateGraph graph_;
  std::vector<std::string> observations_{"counters"};
  std::vector<env::ActionIndex> dead_;                    // what the last choice was told
  std::vector<std::pair<Sequence, std::int64_t>> ended_;  // what was told of the end, with the count there
  std::size_t late_ = 1'000;                              // after so many choices
};

TEST_F(RolloutTest, WhatChangesNothingIsNoPartOfIt) {
  EXPECT_EQ(follow({}, {kDec, kNoop, kDec}).actions, (Sequence{kDec, kDec}));
  EXPECT_TRUE(dead_.empty());
  follow({kDec}, {});
  EXPECT_EQ(dead_, (std::vector<env::ActionIndex>{kNoop}));
  EXPECT_EQ(follow({kDec}, {kNoop, kInc}).actions, Sequence{kDec}) << "to choose it all the same is to stop";
}

TEST_F(RolloutTest, WhatIsKnownIsNotRunAgain) {
  const RolloutEnd first = follow({}, {kDec, kDec, kInc});
  EXPECT_TRUE(first.arrived());
  EXPECT_EQ(first.replay.passes, 3u);
  const std::uint64_t passes = backend_.counters().passes;
  RolloutEnd again = follow({}, {kDec, kDec, kInc});
  EXPECT_EQ(backend_.counters().passes, passes);
  EXPECT_FALSE(again.arrived());
  EXPECT_EQ(again.state, first.state);
  ASSERT_TRUE(arrive(lane_, again));
  EXPECT_TRUE(again.arrived());
  EXPECT_EQ(*again.replay.session->stateHash(), first.state->hash());
}

TEST_F(RolloutTest, ItEndsWhereItIsWhenItIsLate) {
  late_ = 2;
  const RolloutEnd end = follow({}, {kDec, kDec, kDec});
  EXPECT_EQ(end.actions, (Sequence{kDec, kDec}));
  EXPECT_TRUE(end.arrived());
  EXPECT_EQ(*end.replay.session->stateHash(), end.state->hash());
  late_ = 0;
  EXPECT_EQ(follow({kDec}, {kDec}).actions, Sequence{kDec}) << "its start belongs to it";
}

TEST_F(RolloutTest, AFailureStaysKnown) {
  for (int i = 0; i < 2; ++i) {
    const RolloutEnd end = follow({kDec}, {kCrash, kDec});
    EXPECT_EQ(end.actions, (Sequence{kDec, kCrash}));
    EXPECT_EQ(end.replay.status, env::StepStatus::kCrashed);
    EXPECT_EQ(end.replay.reached, 1u);
  }
  EXPECT_EQ(follow({kCrash}, {kDec}).state, nullptr);
}

TEST_F(RolloutTest, WhereItEndsIsToldAlsoIfItWasCutOff) {
  using End = std::pair<Sequence, std::int64_t>;
  follow({}, {kDec, kDec, kDec}, 2);
  EXPECT_EQ(ended_, (std::vector<End>{{{kDec, kDec}, 98}}));
  follow({}, {kDec, kDec, kDec}, 2);
  EXPECT_EQ(ended_.size(), 2u) << "also where all is known";
  follow({}, {kInc});
  EXPECT_EQ(ended_.back(), (End{{kInc}, 101}));
  follow({kInc}, {kCrash});
  EXPECT_EQ(ended_.size(), 3u) << "a failure leads nowhere";
}

TEST_F(RolloutTest, WhatCannotBeObservedIsAFailure) {
  observations_ = {"fragile"};
  for (int i = 0; i < 2; ++i) {
    const RolloutEnd end = follow({kDec}, {kPoison, kDec});
    EXPECT_EQ(end.actions, (Sequence{kDec, kPoison}));
    EXPECT_EQ(end.replay.status, env::StepStatus::kCrashed);
  }
  const RolloutEnd end = follow({kPoison}, {kDec});
  EXPECT_EQ(end.state, nullptr);
  EXPECT_EQ(end.replay.status, env::StepStatus::kCrashed);
}

// Whatever was seen before, a rollout is what it would have been had nothing been seen.
TEST_F(RolloutTest, ItEndsWhereTheFirstOfItsKindWouldEnd) {
  Rng rng(1);
  Lane fresh(*backend_.open(fakes::toySpec(100, {"dec", "inc", "noop", "crash"})), 0);
  for (int i = 0; i < 500; ++i) {
    Sequence start, choices;
    for (std::size_t n = rng.below(4); n > 0; --n)
      start.push_back(static_cast<env::ActionIndex>(rng.below(2)));
    for (std::size_t n = rng.below(6); n > 0; --n)
      choices.push_back(rng.chance(0.05) ? env::ActionIndex{kCrash}
                                         : static_cast<env::ActionIndex>(rng.below(3)));
    RolloutEnd end = follow(start, choices, 6);
    ASSERT_LE(end.actions.size(), 6u);
    if (!end.replay.ok()) continue;
    ASSERT_TRUE(arrive(lane_, end));
    const auto replayed = fresh.replay(end.actions, prefixHashes(end.actions), true);
    ASSERT_EQ(*end.replay.session->stateHash(), *replayed->session->stateHash());
    ASSERT_EQ(end.state->hash(), *replayed->session->stateHash());
  }
}

}  // namespace
}  // namespace ordo::search
