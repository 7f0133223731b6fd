#include "search/guided/policy_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/random_policy.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr env::ActionIndex kNoop = 0, kDec = 1, kInc = 2;

std::vector<Sequence> sequences(const std::vector<Evaluation>& drafts) {
  std::vector<Sequence> all;
  for (const Evaluation& draft : drafts) all.push_back(draft.actions);
  return all;
}

class PolicyDraftTest : public testing::Test {
 protected:
  // A count of 100. Always these logits: of dec, inc, noop and stop.
  Result<PolicyDraft> open(const std::vector<float>& logits, const Sequence& start, std::size_t fixed,
                           std::size_t max_actions, const std::string& objective = "runtime",
                           std::optional<env::ActionIndex> stands_for = std::nullopt) {
    evaluator_ = *Evaluator::open(backend_, fakes::toySpec(100, {"noop", "dec", "inc"}),
                                  {.metric = "ir_instructions", .screen = ""});
    return PolicyDraft::create(
        *evaluator_, start, fixed,
        {fakes::constantPolicy({"dec", "inc", "noop"}, logits), objective, max_actions, stands_for}, 1);
  }

  fakes::ToyBackend backend_;
  std::unique_ptr<Evaluator> evaluator_;
};

TEST_F(PolicyDraftTest, DrawsWhatThePolicyPrefers) {
  auto draft = open({50, 0, 0, 0}, {kInc}, 0, 4);
  ASSERT_TRUE(draft) << draft.error().message;
  const std::vector<Evaluation> drawn = draft->draw(3, 1);
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_THAT(sequences(drawn), Each(Sequence(4, kDec)));
  EXPECT_EQ(drawn.front().value, 96);
}

TEST_F(PolicyDraftTest, TheHotterTheBolder) {
  auto draft = open({6, 0, -50, -50}, {kInc}, 0, 4);
  const auto like = [&](double temperature) {
    const std::vector<Sequence> drawn = sequences(draft->draw(40, temperature));
    return std::ranges::count(drawn, Sequence(4, kDec));
  };
  EXPECT_GT(like(1), 30);
  EXPECT_LT(like(10), 20);
}

TEST_F(PolicyDraftTest, WhatIsFixedComesFirstAndIsNotAll) {
  auto draft = open({0, -50, -50, 9}, {kInc, kInc, kDec}, 2, 8);
  ASSERT_TRUE(draft);
  EXPECT_THAT(sequences(draft->draw(2, 1)), Each(ElementsAre(kInc, kInc, kDec)));
}

TEST_F(PolicyDraftTest, AnActionMayStandForWhatIsKnownToBeGood) {
  auto draft = open({50, 0, 0, 0}, {kInc, kInc, kInc}, 1, 3, "runtime", kDec);
  ASSERT_TRUE(draft);
  const std::vector<Evaluation> drawn = draft->draw(1, 1);
  EXPECT_THAT(sequences(drawn), Each(ElementsAre(kInc, kInc, kInc, kDec))) << "once; then it is itself";
  EXPECT_EQ(drawn.front().value, 102);
}

TEST_F(PolicyDraftTest, APolicyThatDoesNotFitIsRefused) {
  EXPECT_EQ(open({0, 0, 0, 0}, {kInc}, 0, 4, "beauty").error().code, ErrorCode::kUnsupported);
  const auto other =
      Evaluator::open(backend_, fakes::toySpec(100, {"noop"}), {.metric = "count", .screen = ""});
  const auto policy = fakes::constantPolicy({"dec", "inc", "noop"}, {0, 0, 0, 0});
  EXPECT_EQ(PolicyDraft::create(**other, {kNoop}, 0, {policy}, 1).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::search
