#include "tune/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "datasets/tests.h"
#include "engine/reach.h"
#include "engine/replay.h"
#include "engine/stock.h"
#include "env/metric.h"
#include "notation/action.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::tune {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A handful of passes, so that forty evaluations find something.
spaces::Space smallSpace() {
  spaces::Space space;
  space.name = "small";
  for (const char* text : {"function(sroa<modify-cfg>)", "function(early-cse<memssa>)",
                           "function(simplifycfg)", "function(instcombine<no-verify-fixpoint>)",
                           "cgscc(inline)", "globaldce", "function(loop(loop-rotate))"}) {
    space.actions.push_back({text, notation::kPipeline, text});
  }
  space.actions.push_back({"-minsize", notation::kAttribute, "-minsize"});
  return space;
}

// Arguments on the stack: without minsize clang writes them by longer instructions, but a push has a row in
// the unwind table. So less text is more code.
constexpr std::string_view kPushes =
    "int g(int, int, int, int, int, int, int, int);\n"
    "int f(int a, int b) { return g(a, b, a, b, a, b, 1, 2) + g(b, a, b, a, 3, 4, a, b); }\n"
    "int h(int a) { return g(a, 1, 2, 3, 4, 5, 6, 7) ? g(a, a, a, a, a, a, a, 9) : g(1, 2, 3, 4, 5, 6, 7, "
    "a); }\n";

// The first answer makes it smaller.
constexpr std::string_view kWords =
    "static int weight(const char* s) { int sum = 0; for (int i = 0; s[i]; i++) sum += s[i] * (i % 3); "
    "return sum; }\n"
    "int best(int n, char** all) { int b = 0;\n"
    "  for (int i = 1; i < n; i++) b = weight(all[i]) > b ? weight(all[i]) : b; return b; }\n";

class TuneTest : public engine::EngineFixture {
 protected:
  engine::Input inputFor(const engine::Baseline& baseline, std::string_view text = engine::kSmallProgram) {
    EXPECT_TRUE(writeFile(dir_.path() / "words.c", text));
    Result<engine::Input> input = engine::prepareInput((dir_.path() / "words.c").string(), baseline, {});
    EXPECT_TRUE(input) << input.error().message;
    return *std::move(input);
  }

  static TuneOptions options() {
    TuneOptions options;
    options.budget = {.evaluations = 40};
    return options;
  }

  TempDir dir_ = *TempDir::create();
};
TEST_F(TuneTest, IsNeverWorseAndSaysHowItWasChecked) {
  for (const engine::Baseline baseline :
       {engine::Baseline{frontend::Level::kOz, false}, engine::Baseline{frontend::Level::kO2, true}}) {
    const engine::Input input = inputFor(baseline);
    const Result<Tuned> tuned = tune(*engine_, input, smallSpace(), options());
    ASSERT_TRUE(tuned) << tuned.error().message;
    const recipe::Recipe& recipe = tuned->recipe;
    EXPECT_GE(tuned->improvement(), 0);
    EXPECT_EQ(recipe.figures.at(0).metric, "text_bytes");
    EXPECT_LE(recipe.figures[0].tuned, recipe.figures[0].baseline);
    EXPECT_EQ(tuned->verified, Tuned::Checked::kPassed) << recipe.verified;
    EXPECT_EQ(tuned->tested, Tuned::Checked::kNotPossible);
    EXPECT_THAT(tuned->notes, testing::IsEmpty());
    const Result<engine::Replayed> replayed = engine::replay(*engine_, input, recipe);
    ASSERT_TRUE(replayed) << replayed.error().message;
    EXPECT_EQ(replayed->hash, recipe.result_hash);
    EXPECT_TRUE(replayed->bitcode == tuned->bitcode);
    EXPECT_EQ(recipe.baseline, baseline.name());
    EXPECT_EQ(recipe.prepare.empty(), !baseline.bare);
    EXPECT_LE(recipe.reasons.size(), recipe.actions.size());
    EXPECT_TRUE(recipe::parse(recipe::write(recipe), "recipe.json"));
  }
}

TEST_F(TuneTest, CodeAloneDoesNotGrowUnlessItMay) {
  const engine::Input input = inputFor({}, kPushes);
  const auto figures = [&](const std::vector<std::string>& limits, const std::string& shown) {
    TuneOptions limited = options();
    limited.limits = limits;
    const Result<Tuned> tuned = tune(*engine_, input, smallSpace(), limited);
    EXPECT_TRUE(tuned) << tuned.error().message;
    EXPECT_THAT(tuned->recipe.limits, testing::ElementsAre(shown));
    const auto code = std::ranges::find(tuned->recipe.figures, env::kCodeBytes, &recipe::Figure::metric);
    return std::pair(tuned->recipe.figures[0], *code);
  };
  const auto [text, code] = figures({}, "code_bytes=+0%");
  EXPECT_LE(code.tuned, code.baseline);
  EXPECT_LE(text.tuned, text.baseline);
  const auto [less, more] = figures({"code_bytes=any"}, "code_bytes=any");
  EXPECT_GT(more.tuned, more.baseline);
  EXPECT_LT(less.tuned, text.tuned);
}

TEST_F(TuneTest, SingleCallsAreDecidedUnlessTheyAreLeftToTheInliner) {
  if (sandbox::kSanitized)
    GTEST_SKIP() << "stock opt, which has no sanitizer, cannot load a plugin that needs one";
  const Result<std::string> sudoku =
      readFile(std::filesystem::path(ORDO_SOURCE_DIR) / "suite/sudoku/sudoku.c");
  ASSERT_TRUE(sudoku) << sudoku.error().message;
  const engine::Input input = inputFor({}, *sudoku);
  // Nothing else could be better.
  spaces::Space space = smallSpace();
  std::erase_if(space.actions, [](const env::Action& action) { return action.text != "globaldce"; });
  const auto tuned = [&](bool calls) {
    TuneOptions asked = options();
    asked.budget = {.evaluations = 120};
    asked.calls = calls;
    Result<Tuned> result = tune(*engine_, input, space, asked);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  };
  const auto decisions = [](const Tuned& of) {
    return std::ranges::count_if(
        of.recipe.actions, [](const env::Action& action) { return action.text.starts_with("ordo-call<"); });
  };
  const Tuned with = tuned(true), without = tuned(false);
  EXPECT_GT(decisions(with), 0);
  EXPECT_EQ(decisions(without), 0);
  EXPECT_LT(with.recipe.figures[0].tuned, without.recipe.figures[0].tuned);
  EXPECT_EQ(with.verified, Tuned::Checked::kPassed) << with.recipe.verified;
  const Result<engine::Replayed> replayed = engine::replay(*engine_, input, with.recipe);
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(replayed->hash, with.recipe.result_hash);
}

// It has one function that is not in main already, so that there is little to choose.
TEST_F(TuneTest, WhatFunctionsDoNotNeedGoesBackToTheSearch) {
  TuneOptions asked = options();
  asked.budget = {.evaluations = 100};
  double last = std::numeric_limits<double>::infinity();
  std::size_t number = 0;
  asked.on_improvement = [&](double, const search::Evaluation& best, const std::vector<std::string>&) {
    EXPECT_LT(best.value, last) << "told twice";
    EXPECT_GE(best.number, number);
    last = best.value;
    number = best.number;
  };
  const Result<Tuned> tuned = tune(*engine_, inputFor({}), smallSpace(), asked);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_GE(tuned->statistics.evaluations, 85u);
  EXPECT_EQ(tuned->recipe.figures[0].tuned, last);
}

TEST_F(TuneTest, TheSameSeedAndOneJobGiveTheSameResult) {
  const engine::Input input = inputFor({});
  const Result<Tuned> first = tune(*engine_, input, smallSpace(), options());
  const Result<Tuned> second = tune(*engine_, input, smallSpace(), options());
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->object == second->object);
  recipe::Recipe a = first->recipe, b = second->recipe;
  // The clock's, not the seed's: so many inputs were compared as there was time for.
  a.seconds = b.seconds = 0;
  a.tested = b.tested = "";
  EXPECT_EQ(recipe::write(a), recipe::write(b));
}

TEST_F(TuneTest, WhereTheBaselineTakesTheBudgetItIsTheResultAndThatIsSaid) {
  TuneOptions hurried = options();
  hurried.budget = {.seconds = 1e-6};
  std::vector<std::string> phases;
  hurried.on_phase = [&](std::string_view phase) { phases.emplace_back(phase); };
  const Result<Tuned> tuned = tune(*engine_, inputFor({}), smallSpace(), hurried);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->statistics.evaluations, 0u);
  EXPECT_EQ(tuned->recipe.actions.size(), 1u);
  EXPECT_EQ(tuned->improvement(), 0);
  EXPECT_EQ(tuned->recipe.figures[0].bare, std::nullopt) << "left out, and that is said";
  EXPECT_EQ(tuned->verified, Tuned::Checked::kPassed) << "what is given out is proved";
  EXPECT_THAT(tuned->notes,
              testing::ElementsAre(HasSubstr("nothing was searched"), HasSubstr("bare-Oz was not measured")));
  EXPECT_THAT(phases, testing::Contains("making the baseline"));
}

TEST_F(TuneTest, AnUnknownObjectiveSuggestsTheNearest) {
  TuneOptions unknown = options();
  unknown.objective = "text_byte";
  const Result<Tuned> tuned = tune(*engine_, inputFor({}), smallSpace(), unknown);
  ASSERT_FALSE(tuned);
  EXPECT_EQ(tuned.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(tuned.error().message, HasSubstr("did you mean 'text_bytes'?"));
}

TEST_F(TuneTest, SeveralMetricsAtOnceAreOneObjective) {
  TuneOptions both = options();
  both.objective = "ir_instructions=0.7+text_bytes=0.3";
  const engine::Input input = inputFor({});
  const Result<Tuned> tuned = tune(*engine_, input, smallSpace(), both);
  ASSERT_TRUE(tuned) << tuned.error().message;
  const Result<recipe::Recipe> recipe = recipe::parse(recipe::write(tuned->recipe), "recipe.json");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->objective, both.objective);
  ASSERT_EQ(recipe->figures.size(), 6u);  // with the parts of text_bytes
  EXPECT_EQ(recipe->figures[0].metric, both.objective);
  EXPECT_EQ(recipe->figures[1].metric, "ir_instructions");
  EXPECT_EQ(recipe->figures[2].metric, "text_bytes");
  const auto ratio = [&](std::size_t i) { return recipe->figures[i].tuned / recipe->figures[i].baseline; };
  EXPECT_LE(ratio(0), 1);
  EXPECT_NEAR(ratio(0), std::pow(ratio(1), 0.7) * std::pow(ratio(2), 0.3), 1e-9);

  both.objective = "ir_instructions=1+runtime=1";
  EXPECT_THAT(tune(*engine_, input, smallSpace(), both).error().message, HasSubstr("--limit text_bytes=+5%"));
  both.objective = "ir_instructions=1+compile_ms=1";
  EXPECT_THAT(tune(*engine_, input, smallSpace(), both).error().message, HasSubstr("compile_ms"));
}

TEST_F(TuneTest, ForRunTimeTheRecipeHasWhatTimingSaid) {
  TuneOptions timed = options();
  timed.objective = env::kRuntime;
  timed.budget = {.seconds = 4};
  timed.run = timing::Input{.args = {"one", "two"}, .exit = 0};
  const engine::Input input = inputFor({frontend::Level::kO3, false});
  const Result<Tuned> tuned = tune(*engine_, input, smallSpace(), timed);
  ASSERT_TRUE(tuned) << tuned.error().message;
  const Result<recipe::Recipe> recipe = recipe::parse(recipe::write(tuned->recipe), "recipe.json");
  ASSERT_TRUE(recipe) << recipe.error().message;
  ASSERT_TRUE(recipe->timing);
  EXPECT_EQ(recipe->searcher, "draft");
  ASSERT_EQ(recipe->figures.size(), 6u);  // with the parts of text_bytes
  EXPECT_EQ(recipe->figures[0].metric, env::kRuntime);
  EXPECT_LE(recipe->figures[0].tuned, recipe->figures[0].baseline);
  EXPECT_EQ(recipe->figures[1].metric, "text_bytes");
  EXPECT_EQ(tuned->improvement() > 0, recipe->timing->verdict == "faster");
  EXPECT_EQ(tuned->verified, Tuned::Checked::kPassed) << recipe->verified;
  EXPECT_EQ(engine::replay(*engine_, input, *recipe)->hash, recipe->result_hash);
}

// Its test passes as long as there is more code than an argument says: what is smallest is refused.
constexpr std::string_view kMeasuresItself = R"(
#include <stdio.h>
#include <stdlib.h>
extern char __executable_start, etext;
static int weight(const char* s) {
  int sum = 0;
  for (int i = 0; s[i]; i++) sum += s[i] * (i % 3);
  return sum;
}
static long code(void) { return &etext - &__executable_start; }
int main(int argc, char** argv) {
  int best = 0;
  for (int i = 1; i < argc; i++) best = weight(argv[i]) > best ? weight(argv[i]) : best;
  if (argc > 2) printf("%ld\n", code());
  else puts(best >= 0 && code() > atol(argv[1]) ? "enough" : "too little");
  return 0;
})";

TEST_F(TuneTest, TheNextBestTakesThePlaceOfWhatIsRefused) {
  TuneOptions wanted = options();
  wanted.budget.evaluations = 200;
  engine::Input input = inputFor({}, kMeasuresItself);
  ASSERT_TRUE(writeFile(dir_.path() / "expected", "enough\n"));
  const auto tuneWith = [&](const std::string& least) {
    input.program.dir = dir_.path();
    input.program.tests.resize(1);
    input.program.tests[0].name = "size";
    input.program.tests[0].args = {least};
    input.program.tests[0].expected = "expected";
    return tune(*engine_, input, smallSpace(), wanted);
  };
  const auto codeOf = [&](const std::string& object) {
    datasets::Program asked = input.program;
    asked.tests[0].args = {"0", "say"};
    EXPECT_TRUE(frontend::linkExecutable(object, input.source, {}, dir_.path() / "asked"));
    return datasets::runProgram(asked, dir_.path() / "asked")->at(0).result.out;
  };
  const Result<Tuned> first = tuneWith("0");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->tested, Tuned::Checked::kPassed) << first->recipe.tested;
  EXPECT_THAT(first->refused, testing::IsEmpty());
  ASSERT_GT(first->improvement(), 0) << "there has to be something to refuse";

  const std::string least = codeOf(first->object);
  const Result<Tuned> second = tuneWith(least.substr(0, least.find('\n')));
  ASSERT_TRUE(second) << second.error().message;
  ASSERT_FALSE(second->refused.empty());
  std::vector<std::string> names;
  for (const env::Action& action : first->recipe.actions) names.push_back(action.name);
  EXPECT_EQ(second->refused[0].actions, names) << "the same search found the same";
  EXPECT_THAT(second->refused[0].why, HasSubstr("got 'too little'"));
  EXPECT_EQ(second->tested, Tuned::Checked::kPassed) << second->recipe.tested;
  EXPECT_EQ(second->verified, Tuned::Checked::kPassed) << second->recipe.verified;
  EXPECT_GT(std::stol(codeOf(second->object)), std::stol(least));
  EXPECT_GE(second->improvement(), 0);

  // Where nothing passes, what clang makes is returned as failed.
  const Result<Tuned> none = tuneWith("1000000000");
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(none->tested, Tuned::Checked::kFailed);
  EXPECT_GE(none->refused.size(), 1u);
  EXPECT_LE(none->refused.size(), 5u) << "a few, not all";
  EXPECT_EQ(none->improvement(), 0);
}

TEST_F(TuneTest, AResultIsWithinItsLimits) {
  TuneOptions limited = options();
  limited.objective = "ir_instructions";
  limited.budget.evaluations = 200;
  const engine::Input input = inputFor({});
  const Result<Tuned> free = tune(*engine_, input, smallSpace(), limited);
  ASSERT_TRUE(free) << free.error().message;
  limited.limits = {"text_bytes=+0%", "object_bytes=+1%"};
  const Result<Tuned> tuned = tune(*engine_, input, smallSpace(), limited);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->recipe.limits, limited.limits);
  const auto figure = [&](const char* metric) {
    return *std::ranges::find(tuned->recipe.figures, metric, &recipe::Figure::metric);
  };
  EXPECT_LE(figure("text_bytes").tuned, figure("text_bytes").baseline);
  EXPECT_LE(figure("object_bytes").tuned, 1.01 * figure("object_bytes").baseline);
  EXPECT_GE(tuned->recipe.figures[0].tuned, free->recipe.figures[0].tuned);
  const Result<recipe::Recipe> again = recipe::parse(recipe::write(tuned->recipe), "recipe.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->limits, limited.limits);

  limited.limits = {"text_bytes=1"};
  EXPECT_EQ(tune(*engine_, input, smallSpace(), limited).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(TuneTest, WithoutABudgetTheBaselineIsTheResult) {
  TuneOptions none = options();
  none.budget.evaluations = 0;
  const Result<Tuned> tuned = tune(*engine_, inputFor({}), smallSpace(), none);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_GE(tuned->improvement(), 0);
  EXPECT_EQ(tuned->verified, Tuned::Checked::kPassed) << tuned->recipe.verified;
}

class HandClock final : public Clock {
 public:
  double seconds() const override { return now_s; }
  double now_s = 0;
};

// That busy machines leave no time for more is no reason to give nothing.
TEST_F(TuneTest, WhereThereIsNoTimeForASearchTheFirstAnswerIsTried) {
  const auto clock = std::make_shared<HandClock>();
  TuneOptions hurried;
  hurried.clock = clock;
  hurried.budget = {.seconds = 6};
  hurried.learned = {engine::knowledgePath("shipped"), ""};
  double passing_s = 2;  // while the baseline is measured
  hurried.on_phase = [&](std::string_view phase) {
    if (phase == "measuring the baseline") clock->now_s += passing_s;
  };
  const spaces::Space space =
      *spaces::loadSpace(dataDir(), "text", *spaces::loadManifest(dataDir(), engine_->info()));
  const engine::Input input = inputFor({}, kWords);
  const Result<Tuned> tuned = tune(*engine_, input, space, hurried);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->statistics.evaluations, 1u);
  EXPECT_GT(tuned->improvement(), 0);
  EXPECT_TRUE(tuned->refused.empty());
  EXPECT_THAT(tuned->notes,
              testing::Contains(HasSubstr("nothing was tried but the sequence that comes first")));

  // All of it went to compiling, say: one program more is made all the same, for it takes a third.
  hurried.spent_s = 6;
  const Result<Tuned> busy = tune(*engine_, input, space, hurried);
  ASSERT_TRUE(busy) << busy.error().message;
  EXPECT_EQ(busy->statistics.evaluations, 1u);
  EXPECT_GT(busy->improvement(), 0);

  hurried.spent_s = 0;
  passing_s = 4;  // no other program is made before the end, nor soon after
  const Result<Tuned> late = tune(*engine_, input, space, hurried);
  ASSERT_TRUE(late) << late.error().message;
  EXPECT_EQ(late->statistics.evaluations, 0u);
  EXPECT_EQ(late->improvement(), 0);
}

}  // namespace
}  // namespace ordo::tune
