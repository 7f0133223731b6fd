#include "search/guided/draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/fakes/random_policy.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

constexpr env::ActionIndex kDec = 1, kInc = 2, kEnable = 5;

class DraftTest : public testing::Test {
 protected:
  std::unique_ptr<Evaluator> evaluatorOf(const std::vector<std::string>& actions = fakes::kToyActions) {
    return std::move(
        *Evaluator::open(backend, fakes::toySpec(1000, actions), {.metric = "count", .screen = ""}));
  }
  fakes::ToyBackend backend;
};

TEST_F(DraftTest, EachIsAnotherProgramAroundTheStart) {
  const auto evaluator = evaluatorOf();
  const Sequence start{kDec, kDec};
  const Hash128 base = evaluator->evaluateOne(start, Effort::kFull).state;
  const Result<std::vector<Evaluation>> drafted = draft(*evaluator, start, {.wanted = 12});
  ASSERT_TRUE(drafted) << drafted.error().message;
  EXPECT_EQ(drafted->size(), 12u);
  std::set<Hash128> states{base};
  bool before = false, after = false;
  for (const Evaluation& one : *drafted) {
    EXPECT_TRUE(states.insert(one.state).second);
    const auto at = std::ranges::search(one.actions, start).begin();
    ASSERT_NE(at, one.actions.end());
    before |= at != one.actions.begin();
    after |= at + 2 != one.actions.end();
  }
  EXPECT_TRUE(before && after);
}

TEST_F(DraftTest, WhatIsFixedComesFirstAndOnce) {
  const auto evaluator = evaluatorOf();
  const auto drafted = draft(*evaluator, {kEnable, kDec}, {.wanted = 12, .actions = kEnable, .fixed = 1});
  ASSERT_TRUE(drafted) << drafted.error().message;
  ASSERT_FALSE(drafted->empty());
  for (const Evaluation& one : *drafted) {
    EXPECT_EQ(one.actions.front(), kEnable);
    EXPECT_EQ(std::ranges::count(one.actions, kEnable), 1);
  }
}

TEST_F(DraftTest, HalfAreTheBestAndHalfAreDrawn) {
  const auto evaluator = evaluatorOf();
  const auto drafted = draft(*evaluator, {kEnable}, {.wanted = 10, .surplus = 8});
  ASSERT_TRUE(drafted);
  ASSERT_EQ(drafted->size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(drafted->begin(), drafted->begin() + 5, {}, &Evaluation::value));
  double worst_of_best = (*drafted)[4].value, worst = 0;
  for (const Evaluation& one : *drafted) worst = std::max(worst, one.value);
  EXPECT_GT(worst, worst_of_best);
  const auto again = draft(*evaluatorOf(), {kEnable}, {.wanted = 10, .surplus = 8});
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ((*again)[i].actions, (*drafted)[i].actions);
}

TEST_F(DraftTest, WithAPolicyHalfAreItsChoices) {
  const std::unique_ptr<Evaluator> evaluator = std::move(*Evaluator::open(
      backend, fakes::toySpec(1000, {"noop", "dec", "inc"}), {.metric = "count", .screen = ""}));
  DraftOptions options{.wanted = 8};
  options.policy = PolicyDraftOptions{fakes::constantPolicy({"dec", "inc", "noop"}, {-50, 3, -50, 1})};
  const auto drafted = draft(*evaluator, {kDec}, options);
  ASSERT_TRUE(drafted) << drafted.error().message;
  ASSERT_EQ(drafted->size(), 8u);
  std::set<Hash128> states;
  for (const Evaluation& one : *drafted) EXPECT_TRUE(states.insert(one.state).second);
  const auto advised = [](const Evaluation& one) {
    return std::ranges::all_of(one.actions, [](env::ActionIndex action) { return action == kInc; });
  };
  EXPECT_EQ(std::ranges::count_if(*drafted, advised), 4);

  options.policy = PolicyDraftOptions{fakes::constantPolicy({"x", "y", "z"}, {0, 0, 0, 0})};
  EXPECT_EQ(draft(*evaluator, {kDec}, options).error().code, ErrorCode::kUnsupported);
}

TEST_F(DraftTest, ItEndsWhereThereIsNothingToFind) {
  const auto idle = evaluatorOf({"noop"});
  const auto none = draft(*idle, {0}, {.wanted = 5});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());

  const auto limited = evaluatorOf();
  limited->limit({.evaluations = 5});
  const auto few = draft(*limited, {kInc}, {.wanted = 20});
  ASSERT_TRUE(few);
  EXPECT_LE(few->size(), 4u);
}

TEST_F(DraftTest, WhatFailsIsNoDraftAndABaselineThatFailsIsAnError) {
  const auto evaluator = evaluatorOf({"dec", "crash"});
  const auto drafted = draft(*evaluator, {0}, {.wanted = 8});
  ASSERT_TRUE(drafted);
  for (const Evaluation& one : *drafted) EXPECT_TRUE(one.measured());
  const auto failing = draft(*evaluator, {1}, {});
  ASSERT_FALSE(failing);
  EXPECT_EQ(failing.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::search
