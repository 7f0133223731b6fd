#include "search/catalog/guided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>

#include "search/catalog/catalog.h"
#include "tests/fakes/random_policy.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

// The best of a search of so many evaluations on a count of 1,000, with a policy that knows nothing.
double bestOf(const GuideOptions& options, std::uint64_t seed, double evaluations) {
  fakes::ToyBackend backend;
  const std::vector<std::string> actions{"noop", "inc", "dec", "enable", "dec-if-even"};
  auto evaluator =
      *Evaluator::open(backend, fakes::toySpec(1000, actions), {.metric = "ir_instructions", .screen = ""});
  const auto policy = fakes::constantPolicy(actions, {0, 0, 0, 0, 0, 0});
  SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 30, Rng(seed), {},
                        {.policy = policy});
  evaluator->limit({.evaluations = evaluations});
  guidedSearch(options)->run(context);
  EXPECT_EQ(static_cast<double>(evaluator->statistics().evaluations), evaluations);
  return context.best().value;
}

TEST(GuidedTest, HearingTheTruthIsBetterThanHearingOfAnother) {
  double told = 0, misled = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    told += bestOf({}, seed, 150);
    misled += bestOf({.shuffled = true}, seed, 150);
  }
  EXPECT_LT(told, misled);
}

TEST(GuidedTest, EqualSeedsGiveEqualSearches) {
  for (const GuideOptions& options : {GuideOptions{}, GuideOptions{.unbounded = true}})
    EXPECT_EQ(bestOf(options, 3, 80), bestOf(options, 3, 80));
}

TEST(GuidedTest, TheOwnAnswerIsNoSearch) {
  fakes::ToyBackend backend;
  auto evaluator = *Evaluator::open(backend, fakes::toySpec(100, {"inc", "dec"}),
                                    {.metric = "ir_instructions", .screen = ""});
  Knowledge knowledge;
  knowledge.coresets = {{"ir_instructions", {{1, 1, 1}, {1}}}};
  for (const bool with_policy : {false, true}) {
    if (with_policy) knowledge.policy = fakes::constantPolicy({"inc", "dec"}, {-9, 0, 9});
    SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 30, Rng(1), {},
                          knowledge);
    const std::uint64_t before = evaluator->statistics().evaluations;
    find("policy_answer")->make()->run(context);
    EXPECT_EQ(evaluator->statistics().evaluations, before + 1);
    EXPECT_EQ(context.best().value, with_policy ? 97.0 - policy::kOnlySteps : 97);
  }
}

TEST(GuidedTest, WhereALimitRefusesTheOwnAnswerTheNextOpeningIsTried) {
  fakes::ToyBackend backend;
  Knowledge knowledge;
  knowledge.coresets = {{"text_bytes", {{0}, {0, 0}, {1}, {1, 1}}}};
  for (const bool with_policy : {false, true}) {
    if (with_policy) knowledge.policy = fakes::constantPolicy({"inc", "dec"}, {-9, -9, 9});
    auto evaluator =
        *Evaluator::open(backend, fakes::toySpec(10, {"inc", "dec"}),
                         {.metric = "text_bytes", .screen = "", .limits = {{"ir_instructions", 10}}});
    SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 30, Rng(1), {},
                          knowledge);
    const std::uint64_t before = evaluator->statistics().evaluations;
    find("policy_answer")->make()->run(context);
    EXPECT_EQ(evaluator->statistics().evaluations, before + 3);
    EXPECT_EQ(context.best().value, 9) << "the best of all is not looked for";
  }
}

TEST(GuidedTest, OfALargeProgramTheOwnAnswerForBytesIsItsOpening) {
  fakes::ToyBackend backend;
  Knowledge knowledge;
  knowledge.coresets = {{"text_bytes", {{1, 1, 1}}}};
  knowledge.policy = fakes::constantPolicy({"inc", "dec"}, {-9, 9, 0});
  for (const std::int64_t count : {policy::kFamiliarInstructions, policy::kFamiliarInstructions + 1}) {
    auto evaluator = *Evaluator::open(backend, fakes::toySpec(count, {"inc", "dec"}),
                                      {.metric = "text_bytes", .screen = ""});
    SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 30, Rng(1), {},
                          knowledge);
    find("policy_answer")->make()->run(context);
    EXPECT_EQ(static_cast<double>(count) - context.best().value,
              count <= policy::kFamiliarInstructions ? 30 : 3);
  }
}

// Of what the passes lead to, and with nothing measured on the way: a unit of the count costs as much as a
// tenth of what the choice of the second opening is said to.
TEST(GuidedTest, TheOwnAnswerOpensWithWhatAnEstimateSays) {
  fakes::ToyBackend backend;
  Knowledge knowledge;
  knowledge.coresets = {{"text_bytes", {{1, 1}, {1, 1, 1}, {0}}}};
  Estimate estimate{"autophase", std::vector<double>(56, 0), {0, 0, -9}};
  estimate.weights[policy::kTotalInsts] = 1;
  for (const double offset : {0.0, 1.0}) {
    estimate.offsets[1] = offset;
    knowledge.openings = {{"text_bytes", {{{1, 1}, {1, 1, 1}}, estimate}}};
    for (const bool with_policy : {false, true}) {
      knowledge.policy = with_policy ? fakes::constantPolicy({"inc", "dec"}, {-9, 9, 0}) : nullptr;
      for (const char* searcher : {"policy_answer", "policy"}) {
        auto evaluator = *Evaluator::open(backend, fakes::toySpec(10, {"inc", "dec"}),
                                          {.metric = "text_bytes", .screen = ""});
        SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}, {0}}), 20, Rng(1), {},
                              knowledge);
        evaluator->limit({.evaluations = 3});
        find(searcher)->make()->run(context);
        EXPECT_EQ(evaluator->statistics().evaluations, 3u);
        if (!with_policy && searcher == std::string_view("policy")) continue;  // another search
        if (offset > 0 && with_policy) {
          EXPECT_LT(context.best().value, 8) << "behind the opening it knows the policy goes on";
        } else {
          EXPECT_EQ(context.best().value, offset > 0 ? 8 : 7);
        }
      }
    }
  }
}

// Every state says what it is worth, so that one that was looked at is as good as measured.
TEST(GuidedTest, ForInstructionsTheOwnAnswerOpensWithTheBestOfTheFirst) {
  fakes::ToyBackend backend;
  Knowledge knowledge;
  knowledge.coresets = {{"ir_instructions", {{0}, {1, 1, 1}, {1}}}};
  for (const bool with_policy : {false, true}) {
    knowledge.policy = with_policy ? fakes::constantPolicy({"inc", "dec"}, {9, -9, 0}) : nullptr;
    auto evaluator = *Evaluator::open(backend, fakes::toySpec(10, {"inc", "dec"}),
                                      {.metric = "ir_instructions", .screen = ""});
    SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}, {0}}), 20, Rng(1), {},
                          knowledge);
    evaluator->limit({.evaluations = 4});
    find("policy_answer")->make()->run(context);
    EXPECT_EQ(context.best().value, 7) << "from which a policy that makes it worse goes back";
    EXPECT_EQ(evaluator->statistics().evaluations, with_policy ? 4u : 3u);
  }
}

TEST(GuidedTest, WhoCanMeasureAllOpeningsDoesNotLook) {
  fakes::ToyBackend backend;
  Knowledge knowledge;
  knowledge.coresets = {{"text_bytes", {{1, 1}, {1, 1, 1}}}};
  Estimate estimate{"autophase", std::vector<double>(56, 0), {0, -1}};
  knowledge.openings = {{"text_bytes", {knowledge.coresets["text_bytes"], estimate}}};
  knowledge.policy = fakes::constantPolicy({"inc", "dec"}, {-9, -9, 9});
  for (const double evaluations : {1.0, 2.0}) {
    auto evaluator =
        *Evaluator::open(backend, fakes::toySpec(10, {"inc", "dec"}), {.metric = "text_bytes", .screen = ""});
    SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}, {0}}), 20, Rng(1), {},
                          knowledge);
    std::vector<Sequence> answers;
    evaluator->listen([&](const Evaluation& answer) { answers.push_back(answer.actions); });
    evaluator->limit({.evaluations = 2 + evaluations});
    find("policy")->make()->run(context);
    EXPECT_EQ(answers.front(), evaluations < 2 ? Sequence(3, 1) : Sequence(2, 1));
  }
}

// What costs nothing to know says that it is worse by a tenth, and what counts that it is better by a fifth.
TEST(GuidedTest, WhatIsBestForMostProgramsIsNotRuledOutUnmeasured) {
  fakes::ToyBackend backend;
  const std::vector<std::string> actions{"inc", "-x=30"};
  for (const bool with_policy : {false, true}) {
    Knowledge knowledge;
    knowledge.coresets["text_bytes"] = {{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    if (with_policy) knowledge.policy = fakes::constantPolicy(actions, {-9, -9, 9});
    for (const char* searcher : {"coreset", "policy_answer", "policy"}) {
      auto evaluator = *Evaluator::open(backend, fakes::toySpec(100, actions),
                                        {.metric = "text_bytes", .screen = "ir_instructions"});
      SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 20, Rng(1), {},
                            knowledge);
      evaluator->limit({.evaluations = 2});
      find(searcher)->make()->run(context);
      EXPECT_EQ(context.best().value, 80) << searcher << (with_policy ? " with" : " without") << " a policy";
    }
  }
}

// Sequences of a long coreset that were tried in its order behind the own answer.
std::size_t triedOfCoreset(const std::vector<std::string>& actions) {
  fakes::ToyBackend backend;
  auto evaluator =
      *Evaluator::open(backend, fakes::toySpec(1000, actions), {.metric = "ir_instructions", .screen = ""});
  Knowledge knowledge;
  for (std::size_t length = 1; length <= 40; ++length)
    knowledge.coresets["ir_instructions"].push_back(Sequence(length, 1));
  const std::vector<Sequence>& coreset = knowledge.coresets["ir_instructions"];
  std::vector<float> logits(actions.size() + 1, 0);
  knowledge.policy = fakes::constantPolicy(actions, logits);
  SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 50, Rng(1), {},
                        knowledge);
  std::vector<Sequence> answers;
  evaluator->listen([&](const Evaluation& answer) { answers.push_back(answer.actions); });
  evaluator->limit({.evaluations = 60});
  guidedSearch({})->run(context);
  const auto first = std::ranges::search(answers, coreset | std::views::take(2)).begin();
  return static_cast<std::size_t>(
      std::ranges::mismatch(std::ranges::subrange(first, answers.end()), coreset).in2 - coreset.begin());
}

TEST(GuidedTest, OfAVeryLargeProgramShortSequencesComeFirst) {
  fakes::ToyBackend backend;
  Knowledge knowledge;
  knowledge.coresets["ir_instructions"] = {{1, 1, 1}, {0, 1, 1, 1}, {1}, {1, 1}, {0}};
  knowledge.policy = fakes::constantPolicy({"inc", "dec"}, {0, 0, 0});
  for (const std::int64_t count : {1000, 1'000'000}) {
    auto evaluator = *Evaluator::open(backend, fakes::toySpec(count, {"inc", "dec"}),
                                      {.metric = "ir_instructions", .screen = ""});
    SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 30, Rng(1), {},
                          knowledge);
    std::vector<Sequence> answers;
    evaluator->listen([&](const Evaluation& answer) { answers.push_back(answer.actions); });
    evaluator->limit({.evaluations = 7});
    guidedSearch({})->run(context);
    ASSERT_GE(answers.size(), 5u);
    const std::vector<Sequence> shortest_first{{1}, {0}, {1, 1}, {1, 1, 1}, {0, 1, 1, 1}};
    answers.resize(shortest_first.size());
    EXPECT_EQ(answers == shortest_first, count > 1000);
  }
}

// Of a program of 20,000 instructions one pass may take longer than all else together.
TEST(GuidedTest, OfALargeProgramWhatIsSlowComesLast) {
  fakes::ToyBackend backend;
  const std::vector<std::string> actions{"inc", "dec", "iroutliner=dec"};
  Knowledge knowledge;
  for (const char* metric : {"ir_instructions", "text_bytes"}) {
    knowledge.coresets = {{metric, {{2, 1, 1, 1}, {1, 1, 1}, {2, 1}, {1}}}};
    knowledge.policy = fakes::constantPolicy(actions, {-9, -9, -9, 9});
    for (const std::int64_t count : {1000, 20'000}) {
      auto evaluator =
          *Evaluator::open(backend, fakes::toySpec(count, actions), {.metric = metric, .screen = ""});
      SearchContext context(*evaluator, evaluator->evaluate(std::vector<Sequence>{{}}), 30, Rng(1), {},
                            knowledge);
      std::vector<Sequence> answers;
      evaluator->listen([&](const Evaluation& answer) { answers.push_back(answer.actions); });
      evaluator->limit({.evaluations = 6});
      guidedSearch({})->run(context);
      ASSERT_FALSE(answers.empty());
      const Sequence first = count == 1000 ? Sequence{2, 1, 1, 1} : Sequence{1, 1, 1};
      EXPECT_TRUE(std::ranges::equal(std::views::take(answers.front(), 3), std::views::take(first, 3)))
          << metric << " of " << count;
    }
  }
}

TEST(GuidedTest, TheRestOfACoresetIsLeftToTheSearch) {
  EXPECT_EQ(triedOfCoreset({"inc", "dec"}), 32u);
  EXPECT_EQ(triedOfCoreset({"inc", "dec", "-a=5", "-b=3"}), 16u) << "the code generator's choices come first";
}

TEST(GuidedTest, TheVariantsAreSearchers) {
  for (const std::string_view name : {"policy", "policy_answer", "policy_shuffled", "policy_unbounded"})
    EXPECT_NE(find(name), nullptr);
}

}  // namespace
}  // namespace ordo::search
