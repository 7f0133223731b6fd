#include "search/guided/guide.h"

#include <gtest/gtest.h>

#include "search/catalog/catalog.h"
#include "search/searcher/searcher.h"
#include "tests/fakes/random_policy.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

// Always these logits, stop being the last.
std::shared_ptr<const policy::Policy> policyWith(const std::vector<float>& logits) {
  return fakes::constantPolicy({"dec", "inc", "noop"}, logits);
}

class GuideTest : public testing::Test {
 protected:
  // A search on a count of 100, of at most 10 actions.
  SearchContext& open(const std::string& metric = "ir_instructions",
                      const std::vector<std::string>& actions = {"noop", "dec", "inc"},
                      std::shared_ptr<const policy::Policy> policy = nullptr) {
    evaluator_ = *Evaluator::open(backend_, fakes::toySpec(100, actions), {.metric = metric, .screen = ""});
    context_.emplace(*evaluator_, evaluator_->evaluate({{}}), 10, Rng(1), SearchContext::OnImprovement{},
                     Knowledge{.policy = std::move(policy)});
    return *context_;
  }

  fakes::ToyBackend backend_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<SearchContext> context_;
};

TEST_F(GuideTest, AtTemperatureZeroItDoesWhatThePolicyPrefers) {
  auto guide = Guide::create(policyWith({1, 0, 0, 0.5}), open());
  ASSERT_TRUE(guide) << guide.error().message;
  const auto results = (*guide)->evaluate({{{}, 0}, {{2, 2}, 0}});
  EXPECT_EQ(results[0].actions, Sequence(10, 1)) << "dec, by the index that it has in the session";
  EXPECT_EQ(results[0].value, 90);
  EXPECT_EQ(results[1].actions, (Sequence{2, 2, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(evaluator_->statistics().evaluations, 3u) << "one of them is the seed";

  // Not where it begins, which is measured already.
  auto stops = Guide::create(policyWith({0, 0, 0, 1}), open());
  EXPECT_EQ((*stops)->evaluate({{{}, 0}})[0].actions, Sequence{1});
}

TEST_F(GuideTest, ItDoesNotEndTwiceInOneState) {
  auto guide = Guide::create(policyWith({0, -100, -100, 1}), open());
  ASSERT_TRUE(guide);
  const auto results = (*guide)->evaluate({{{}, 0}, {{}, 0}, {{}, 0}});
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i].actions, Sequence(i + 1, 1)) << "one more than before";
}

TEST_F(GuideTest, ItStopsNoSoonerThanAsked) {
  auto guide = Guide::create(policyWith({0, -100, -100, 9}), open());
  ASSERT_TRUE(guide);
  EXPECT_EQ((*guide)->evaluate({{{}, 0, 4}})[0].actions, Sequence(4, 1));
}

TEST_F(GuideTest, AChangeIsOneActionAmongThoseThatWereThere) {
  // It likes noop best, but that changes nothing.
  auto guide = Guide::create(policyWith({0, 1, 2, 100}), open());
  ASSERT_TRUE(guide);
  (*guide)->evaluate({{{}, 0}});
  const auto results = (*guide)->evaluate({{{1, 1}, 0, 0, true, {2, 0, 1}}, {{1}, 0, 0, true, {}}});
  EXPECT_EQ(results[0].actions, (Sequence{1, 1, 2, 2, 1}));
  EXPECT_EQ(results[1].actions, (Sequence{1, 2}));
}

TEST_F(GuideTest, ItGoesBackToTheBestStateOnTheWay) {
  auto guide = Guide::create(policyWith({0, -9, -9, -9}), open());
  ASSERT_TRUE(guide);
  (*guide)->evaluate({{{}, 0}});
  EXPECT_EQ(context_->best().value, 90) << "ten times dec";
  (*guide)->evaluate({{Sequence(9, 1), 0, 0, true, {2, 2}}});
  EXPECT_EQ(context_->best().value, 90);

  SearchContext& context = open("ir_instructions", {"noop", "dec", "inc"});
  auto other = Guide::create(policyWith({0, -9, -9, -9}), context);
  ASSERT_TRUE(other);
  const auto results = (*other)->evaluate({{{}, 0, 0, true, {1, 1, 2, 2, 2}}});
  EXPECT_EQ(results[0].value, 100);
  EXPECT_EQ(context.best().value, 97);
  EXPECT_EQ(context.best().actions, Sequence(3, 1));
  EXPECT_EQ(evaluator_->statistics().evaluations, 3u) << "the seed, the rollout and where it went back to";
}

TEST_F(GuideTest, WhatIsPromisingIsAStateOnTheWay) {
  auto guide = Guide::create(policyWith({1, 0, 0, 0}), open());
  ASSERT_TRUE(guide);
  EXPECT_EQ((*guide)->promising(), Sequence{});
  (*guide)->evaluate({{{}, 0}});
  for (int i = 0; i < 20; ++i) {
    const Sequence start = (*guide)->promising();
    EXPECT_LT(start.size(), 10u);
    EXPECT_EQ(start, Sequence(start.size(), 1));
  }
}

TEST_F(GuideTest, ItLearnsWhatPays) {
  // The policy is wrong here: it likes inc.
  auto guide = Guide::create(policyWith({0, 1.5, 0, -1}), open());
  ASSERT_TRUE(guide);
  const auto shareOfDec = [](const std::vector<Evaluation>& results) {
    double dec = 0, all = 0;
    for (const Evaluation& result : results) {
      dec += static_cast<double>(std::ranges::count(result.actions, 1u));
      all += static_cast<double>(result.actions.size());
    }
    return dec / all;
  };
  const std::vector<Guide::Proposal> batch(16, {{}, 1});
  const double before = shareOfDec((*guide)->evaluate(batch));
  for (int i = 0; i < 20; ++i) (*guide)->evaluate(batch);
  const double after = shareOfDec((*guide)->evaluate(batch));
  EXPECT_LT(before, 0.4);
  EXPECT_GT(after, 0.6);
}

TEST_F(GuideTest, APolicyThatCannotServeIsRefused) {
  const auto policy = policyWith({1, 0, 0, 0});
  EXPECT_EQ(Guide::create(policy, open("count")).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(Guide::create(policy, open("ir_instructions", {"dec", "enable"})).error().code,
            ErrorCode::kUnsupported);
  EXPECT_TRUE(Guide::create(policy, open("ir_instructions", {"dec", "inc", "enable"})));
}

TEST_F(GuideTest, WithOneEvaluationTheSearcherGivesTheGreedyAnswer) {
  SearchContext& context = open("ir_instructions", {"noop", "dec", "inc"}, policyWith({1, 0, 0, 0}));
  evaluator_->limit({.evaluations = 2});
  find("policy")->make()->run(context);
  EXPECT_EQ(context.best().value, 90);
}

TEST_F(GuideTest, WithoutAPolicyTheSearcherGoesOnWithoutIt) {
  SearchContext& context = open("count");
  evaluator_->limit({.evaluations = 300});
  find("policy")->make()->run(context);
  EXPECT_EQ(context.best().value, 90);
}

}  // namespace
}  // namespace ordo::search
