#include "search/searcher/codegen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/catalog/catalog.h"
#include "search/searcher/searcher.h"
#include "tests/fakes/random_policy.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

const std::vector<std::string> kActions{"dec", "-a=5", "-b=-3", "-c=2", "-d=1", "-d=4"};

class CodegenTest : public testing::Test {
 protected:
  SearchContext& context(const std::vector<std::string>& actions, const Sequence& seed,
                         std::size_t max_length = 30) {
    evaluator_ = *Evaluator::open(backend_, fakes::toySpec(100, actions), {.metric = "count", .screen = ""});
    return context_.emplace(*evaluator_, evaluator_->evaluate(std::vector<Sequence>{seed}), max_length,
                            Rng(1), SearchContext::OnImprovement{}, knowledge_);
  }

  fakes::ToyBackend backend_;
  Knowledge knowledge_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<SearchContext> context_;
};

TEST_F(CodegenTest, TakesAllThatHelpAndOneOfAName) {
  SearchContext& search = context(kActions, {0});
  const std::vector<Evaluation> results = tryCodegenChoices(search);
  EXPECT_EQ(results.size(), 5u + 2u);
  EXPECT_EQ(search.best().value, 99 - 5 - 4 - 2);
  EXPECT_THAT(search.best().actions, UnorderedElementsAre(1, 3, 5, 0));
  EXPECT_THAT(codegenChoices(search.actions(), search.best().actions), UnorderedElementsAre(1, 3, 5));
  EXPECT_EQ(search.best().actions.front(), 0u) << "behind the passes, whose state is known";
}

TEST_F(CodegenTest, PassesAreNotRunAgainForEachChoice) {
  const Sequence passes(8, 0);
  SearchContext& search = context(kActions, passes);
  tryCodegenChoices(search);
  // The sequence before, once more to leave a snapshot behind its passes, and one choice each; then unions.
  EXPECT_LE(evaluator_->statistics().passes, 8u + 8u + 5u + 2u + 3u);
}

TEST_F(CodegenTest, TakesBackWhatDoesNotHelp) {
  SearchContext& search = context(kActions, {2, 0, 4});
  tryCodegenChoices(search);
  EXPECT_THAT(search.best().actions, UnorderedElementsAre(1, 3, 5, 0));
}

TEST_F(CodegenTest, NothingToChooseCostsNothing) {
  SearchContext& search = context({"dec", "inc"}, {0});
  EXPECT_TRUE(tryCodegenChoices(search).empty());
  EXPECT_EQ(evaluator_->statistics().evaluations, 1u);
}

TEST_F(CodegenTest, NoSequenceGrowsBeyondTheLongest) {
  SearchContext& search = context(kActions, {0, 0}, 3);
  for (const Evaluation& result : tryCodegenChoices(search)) EXPECT_LE(result.actions.size(), 3u);
  EXPECT_THAT(search.best().actions, ElementsAre(0, 0, 1));
  SearchContext& full = context(kActions, {0, 0, 0}, 3);
  EXPECT_TRUE(tryCodegenChoices(full).empty());
}

TEST_F(CodegenTest, ASequenceKeepsItsOwnChoices) {
  const SearchContext& search = context(kActions, {});
  EXPECT_THAT(withChoices(search.actions(), {1, 4}, {0, 5}), ElementsAre(1, 0, 5));
  EXPECT_THAT(withChoices(search.actions(), {}, {0}), ElementsAre(0));
  EXPECT_THAT(passesOf(search.actions(), {1, 0, 5, 0}), ElementsAre(0, 0));
}

TEST_F(CodegenTest, ASearchFindsThemSoon) {
  knowledge_.policy = fakes::constantPolicy({"dec"}, {0, 0});
  SearchContext& search = context({"dec", "-a=5", "-b=-3", "-c=2"}, {});
  evaluator_->limit({.evaluations = 12});
  find("policy")->make()->run(search);
  EXPECT_LE(search.best().value, 93);
}

}  // namespace
}  // namespace ordo::search
