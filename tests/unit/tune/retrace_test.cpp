#include "tune/retrace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/knowledge.h"
#include "notation/action.h"
#include "policy/attribution.h"
#include "spaces/manifest.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"
#include "tune/tune.h"

namespace ordo::tune {
namespace {

using testing::HasSubstr;

constexpr std::string_view kProgram = R"(
int sum(const int* values, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) total += values[i];
  return total;
})";

class RetraceTest : public engine::EngineFixture {
 protected:
  static void SetUpTestSuite() {
    engine::EngineFixture::SetUpTestSuite();
    auto manifest = spaces::loadManifest(dataDir(), engine_->info());
    ASSERT_TRUE(manifest) << manifest.error().message;
    auto space = spaces::loadSpace(dataDir(), "size", *manifest);
    ASSERT_TRUE(space) << space.error().message;
    space_ = *std::move(space);
  }

  engine::Input inputFor(const engine::Baseline& baseline = {}, const std::string& name = "sum.c",
                         std::string_view text = kProgram) {
    EXPECT_TRUE(writeFile(dir_.path() / name, text));
    Result<engine::Input> input = engine::prepareInput((dir_.path() / name).string(), baseline, {});
    EXPECT_TRUE(input) << input.error().message;
    return *std::move(input);
  }

  // A recipe of these actions of the space, as tune() would have written it.
  static recipe::Recipe recipeOf(const engine::Input& input, const std::vector<std::string>& names) {
    TuneOptions options;
    options.objective = "ir_instructions";
    options.budget = {.evaluations = 2};
    const Result<Tuned> tuned = tune(*engine_, input, space_, options);
    EXPECT_TRUE(tuned) << tuned.error().message;
    recipe::Recipe recipe = tuned->recipe;
    recipe.actions.clear();
    recipe.reasons.clear();
    for (const std::string& name : names) {
      const auto found = std::ranges::find(space_.actions, name, &env::Action::name);
      recipe.actions.push_back(found == space_.actions.end() ? env::Action{name, notation::kPipeline, name}
                                                             : *found);
    }
    return recipe;
  }

  static spaces::Space space_;
  TempDir dir_ = *TempDir::create();
};
spaces::Space RetraceTest::space_;

TEST_F(RetraceTest, SaysWhatEachPassLeftAndWhatThePolicyMakesOfIt) {
  const engine::Input input = inputFor();
  const recipe::Recipe recipe = recipeOf(input, {"sroa", "simplifycfg", "globaldce"});
  const Result<Retraced> retraced = retrace(*engine_, input, space_, recipe, engine::policyPath("shipped"));
  ASSERT_TRUE(retraced) << retraced.error().message;
  EXPECT_EQ(retraced->policy, "size.safetensors");
  EXPECT_NE(retraced->policy_hash, Hash128());
  EXPECT_EQ(retraced->no_policy, "");
  ASSERT_EQ(retraced->states.size(), 4u);
  EXPECT_LT(retraced->states[1].instructions, retraced->states[0].instructions);
  EXPECT_EQ(retraced->states[3].instructions, retraced->states[2].instructions);
  for (const Retraced::State& state : retraced->states) {
    ASSERT_TRUE(state.opinion);
    const Opinion& opinion = *state.opinion;
    EXPECT_EQ(opinion.of, 88u);
    EXPECT_GE(opinion.rank, 1u);
    EXPECT_LE(opinion.rank, 88u);
    EXPECT_GT(opinion.probability, 0);
    EXPECT_GE(opinion.first_probability, opinion.probability);
    EXPECT_EQ(opinion.rank == 1, opinion.first_probability == opinion.probability);
    EXPECT_EQ(opinion.unlikely(), opinion.probability < 1.0 / 88);
    ASSERT_FALSE(opinion.clues.empty());
    EXPECT_LE(opinion.clues.size(), 10u);
    for (std::size_t i = 1; i < opinion.clues.size(); ++i)
      EXPECT_LE(std::abs(opinion.clues[i].log_odds), std::abs(opinion.clues[i - 1].log_odds));
  }
}

// What only exists to be inlined loses its body before the last call of it is gone.
TEST_F(RetraceTest, OnTheWayAProgramNeedNotBeOneToLink) {
  const engine::Input input = inputFor({}, "way.ll", R"(
target triple = "x86_64-pc-linux-gnu"
define available_externally i32 @inlined() alwaysinline {
  ret i32 1
}
define i32 @f() {
  br i1 false, label %never, label %end
never:
  %x = call i32 @inlined()
  br label %end
end:
  ret i32 0
})");
  const recipe::Recipe recipe = recipeOf(input, {"elim-avail-extern", "simplifycfg"});
  const auto retraced = retrace(*engine_, input, space_, recipe, "");
  ASSERT_TRUE(retraced) << retraced.error().message;
  EXPECT_EQ(retraced->states.size(), 3u);
}

TEST_F(RetraceTest, TheSameEachTime) {
  const engine::Input input = inputFor();
  const recipe::Recipe recipe = recipeOf(input, {"sroa", "gvn"});
  const auto once = retrace(*engine_, input, space_, recipe, engine::policyPath("shipped"));
  const auto again = retrace(*engine_, input, recipe, engine::policyPath("shipped"));
  ASSERT_TRUE(once && again);
  for (std::size_t i = 0; i < once->states.size(); ++i) {
    const Opinion &a = *once->states[i].opinion, &b = *again->states[i].opinion;
    EXPECT_EQ(a.probability, b.probability);
    ASSERT_EQ(a.clues.size(), b.clues.size());
    for (std::size_t k = 0; k < a.clues.size(); ++k) {
      EXPECT_EQ(a.clues[k].words, b.clues[k].words);
      EXPECT_EQ(a.clues[k].log_odds, b.clues[k].log_odds);
    }
  }
}

TEST_F(RetraceTest, CluesAreInEngineersWords) {
  const engine::Input input = inputFor();
  const auto retraced = retrace(*engine_, input, space_, recipeOf(input, {"sroa", "sroa", "simplifycfg"}),
                                engine::policyPath("shipped"));
  ASSERT_TRUE(retraced) << retraced.error().message;
  std::map<std::string, std::string> said;
  for (const Retraced::State& state : retraced->states) {
    for (const Clue& clue : state.opinion->clues) said[clue.feature] = clue.words;
  }
  for (const auto& [feature, words] : said) {
    if (feature.starts_with("autophase.")) {
      EXPECT_THAT(words, HasSubstr("usual ")) << feature;
    }
    if (feature == "history.sroa") {
      EXPECT_THAT(words, testing::StartsWith("sroa "));
    }
    EXPECT_NE(words, feature);
  }
}

TEST_F(RetraceTest, WithoutAPolicyThereAreInstructionsOnly) {
  const engine::Input input = inputFor();
  const recipe::Recipe recipe = recipeOf(input, {"sroa"});
  const auto asked = retrace(*engine_, input, space_, recipe, "");
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(asked->policy, "");
  EXPECT_EQ(asked->no_policy, "") << "none was asked for";
  ASSERT_EQ(asked->states.size(), 2u);
  EXPECT_FALSE(asked->states[0].opinion);

  const auto missing = retrace(*engine_, input, space_, recipe, "missing.safetensors");
  ASSERT_TRUE(missing) << missing.error().message;
  EXPECT_EQ(missing->policy, "");
  EXPECT_THAT(missing->no_policy, HasSubstr("missing.safetensors"));
  EXPECT_EQ(missing->states.size(), 2u);
}

TEST_F(RetraceTest, APolicyThatDoesNotKnowTheObjectiveSaysNothing) {
  const engine::Input input = inputFor();
  recipe::Recipe recipe = recipeOf(input, {"sroa"});
  recipe.objective = "compile_ms";
  const auto retraced = retrace(*engine_, input, space_, recipe, engine::policyPath("shipped"));
  ASSERT_TRUE(retraced) << retraced.error().message;
  EXPECT_THAT(retraced->no_policy, HasSubstr("compile_ms"));
}

TEST_F(RetraceTest, AnActionThatThePolicyDoesNotKnowHasNoOpinion) {
  const engine::Input input = inputFor();
  const auto retraced = retrace(*engine_, input, space_, recipeOf(input, {"sroa", "lower-invoke"}),
                                engine::policyPath("shipped"));
  ASSERT_TRUE(retraced) << retraced.error().message;
  EXPECT_TRUE(retraced->states[0].opinion);
  EXPECT_FALSE(retraced->states[1].opinion);
  EXPECT_TRUE(retraced->states[2].opinion) << "of stopping";
}

TEST_F(RetraceTest, BeginsWhereABareProgramBegins) {
  const engine::Input input = inputFor({frontend::Level::kOz, true});
  const recipe::Recipe recipe = recipeOf(input, {"sroa"});
  EXPECT_FALSE(recipe.prepare.empty());
  const auto retraced = retrace(*engine_, input, space_, recipe, engine::policyPath("shipped"));
  ASSERT_TRUE(retraced) << retraced.error().message;
  EXPECT_EQ(retraced->states.size(), 2u);
}

TEST_F(RetraceTest, RefusesAnotherProgram) {
  const engine::Input input = inputFor();
  recipe::Recipe recipe = recipeOf(input, {"sroa"});
  recipe.program_hash = hashBytes("another");
  const auto retraced = retrace(*engine_, input, space_, recipe, engine::policyPath("shipped"));
  ASSERT_FALSE(retraced);
  EXPECT_EQ(retraced.error().code, ErrorCode::kInvalidArgument);
  recipe.space = "nowhere";
  EXPECT_THAT(retrace(*engine_, input, recipe, "").error().message, HasSubstr("nowhere"));
}

TEST_F(RetraceTest, CountsAreCalledAsTheBackendCallsThem) {
  for (const env::ObservationInfo& observation : engine_->info().observations) {
    if (observation.name != "autophase") continue;
    ASSERT_EQ(observation.element_names.size(), policy::kCounts.size());
    for (std::size_t i = 0; i < policy::kCounts.size(); ++i)
      EXPECT_EQ(observation.element_names[i], policy::kCounts[i].name);
    return;
  }
  FAIL() << "there is no autophase";
}

TEST(OddsFactorTest, IsShort) {
  EXPECT_EQ(oddsFactor(0), "x1.0");
  EXPECT_EQ(oddsFactor(std::log(4.2)), "x4.2");
  EXPECT_EQ(oddsFactor(std::log(12345)), "x12 345");
  EXPECT_EQ(oddsFactor(std::log(0.3149)), "x0.31");
}

}  // namespace
}  // namespace ordo::tune
