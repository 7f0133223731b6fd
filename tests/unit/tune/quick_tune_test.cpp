#include "tune/quick_tune.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/reach.h"
#include "env/choices.h"
#include "notation/action.h"
#include "support/files.h"

namespace ordo::tune {
namespace {

constexpr std::string_view kProgram =
    "static int weight(const char* s) { int sum = 0; for (int i = 0; s[i]; i++) sum += s[i] * (i % 3); "
    "return sum; }\n"
    "int best(int n, char** all) { int b = 0;\n"
    "  for (int i = 1; i < n; i++) b = weight(all[i]) > b ? weight(all[i]) : b; return b; }\n";

// Arguments on the stack: without minsize clang writes them by longer instructions, but a push has a row in
// the unwind table. So less text is more code.
constexpr std::string_view kPushes =
    "int g(int, int, int, int, int, int, int, int);\n"
    "int f(int a, int b) { return g(a, b, a, b, a, b, 1, 2) + g(b, a, b, a, 3, 4, a, b); }\n"
    "int h(int a) { return g(a, 1, 2, 3, 4, 5, 6, 7) ? g(a, a, a, a, a, a, a, 9) : g(1, 2, 3, 4, 5, 6, 7, "
    "a); }\n";

class QuickTuneTest : public testing::Test {
 protected:
  void SetUp() override {
    auto engine = engine::Engine::start({.limits = {}, .remember_crashes = false});
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = std::move(*engine);
    ASSERT_TRUE(writeFile(dir_.path() / "words.c", kProgram));
    input_ = *engine::prepareInput((dir_.path() / "words.c").string(), engine::Baseline{}, {});
    const auto manifest = spaces::loadManifest(dataDir(), engine_->info());
    ASSERT_TRUE(manifest) << manifest.error().message;
    space_ = *spaces::loadSpace(dataDir(), "size", *manifest);
    options_.learned = {engine::knowledgePath("shipped"), engine::policyPath("shipped")};
  }

  const TempDir dir_ = *TempDir::create();
  std::unique_ptr<engine::Engine> engine_;
  engine::Input input_;
  spaces::Space space_;
  QuickOptions options_;
};

TEST_F(QuickTuneTest, AnAnswerIsNeverWorseAndAGainHasActions) {
  for (const double seconds : {0.0, 0.5}) {
    options_.seconds = seconds;
    const Result<QuickAnswer> answer = quickTune(*engine_, input_, space_, options_);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_GT(answer->baseline, 0);
    EXPECT_LE(answer->tuned, answer->baseline);
    EXPECT_EQ(answer->actions.has_value(), answer->tuned < answer->baseline);
  }
}

TEST_F(QuickTuneTest, ALimitIsOfWhatTheBaselineHas) {
  ASSERT_TRUE(writeFile(dir_.path() / "words.c", kPushes));
  input_ = *engine::prepareInput((dir_.path() / "words.c").string(), engine::Baseline{}, {});
  const env::Action larger{"-minsize", notation::kAttribute, "-minsize"};
  if (std::ranges::find(space_.actions, larger.text, &env::Action::text) == space_.actions.end())
    space_.actions.push_back(larger);
  options_.known = {larger, engine::baselineAction(input_.baseline, input_.pipeline)};
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  const QuickAnswer any = *quickTune(*engine_, input_, space_, options_);
  EXPECT_LT(any.tuned, any.baseline);
  EXPECT_TRUE(any.amounts.empty());
  options_.limits = {"code_bytes=any"};
  EXPECT_EQ(quickTune(*engine_, input_, space_, options_)->tuned, any.tuned);
  options_.limits = {"code_bytes=+0%"};
  const QuickAnswer limited = *quickTune(*engine_, input_, space_, options_);
  EXPECT_EQ(limited.baseline, any.baseline);
  EXPECT_EQ(limited.tuned, limited.baseline) << "however well it is known";
  ASSERT_EQ(limited.amounts.size(), 1u);
  EXPECT_LT(limited.amounts.front(), limited.baseline);
}

TEST_F(QuickTuneTest, WhatIsKnownIsNotLost) {
  options_.seconds = 0.5;
  const QuickAnswer first = *quickTune(*engine_, input_, space_, options_);
  ASSERT_TRUE(first.actions && !first.actions->empty());
  options_.known = *first.actions;
  options_.seed = 2;
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  const Result<QuickAnswer> second = quickTune(*engine_, input_, space_, options_);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->baseline, first.baseline);
  EXPECT_EQ(second->tuned, first.tuned);
  // Of what the space has not, nothing is known.
  options_.known = {{"gone", notation::kPipeline, "gone"}};
  EXPECT_EQ(quickTune(*engine_, input_, space_, options_)->tuned, first.baseline);
}

TEST_F(QuickTuneTest, ChoicesThatAreKnownAreNotLost) {
  const auto choices = env::choose({{"", "no-such-pass"}, {{"best", 1}}});
  options_.known = {engine::baselineAction(input_.baseline, input_.pipeline), choices};
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  const QuickAnswer broken = *quickTune(*engine_, input_, space_, options_);
  EXPECT_EQ(broken.tuned, broken.baseline) << "what does not work any more is nothing";
  options_.known.back() =
      env::choose({{"", "-minsize,-optsize,sroa,simplifycfg,instcombine"}, {{"best", 1}}});
  const auto engine_input = engine::walk(*engine_, input_, input_.compiled.bytes, options_.known);
  ASSERT_TRUE(engine_input) << engine_input.error().message;
  const double value = (*engine_input)->measure(options_.objective)->value;
  const QuickAnswer answer = *quickTune(*engine_, input_, space_, options_);
  EXPECT_LE(answer.tuned, value);
}

TEST_F(QuickTuneTest, WithoutActionsTheBaselineIsTheAnswer) {
  space_.actions.clear();
  const Result<QuickAnswer> answer = quickTune(*engine_, input_, space_, {"text_bytes", 0, {}});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_FALSE(answer->actions);
  EXPECT_EQ(answer->tuned, answer->baseline);
}

TEST_F(QuickTuneTest, TheFirstAnswerIsWhatAPolicyOpensWith) {
  const auto manifest = spaces::loadManifest(dataDir(), engine_->info());
  const spaces::Space text = *spaces::loadSpace(dataDir(), "text", *manifest);
  const std::string knowledge = engine::knowledgePath("shipped");
  const auto first = firstAnswer(input_, text, "text_bytes", "", knowledge);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_FALSE(first->empty());
  // A search without time and policy has nothing else.
  options_.seconds = 0;
  options_.learned = {knowledge, ""};
  const QuickAnswer answer = *quickTune(*engine_, input_, text, options_);
  ASSERT_LT(answer.tuned, answer.baseline);
  ASSERT_EQ(answer.actions->size(), first->size());
  for (std::size_t i = 0; i < first->size(); ++i) EXPECT_EQ((*answer.actions)[i].text, (*first)[i].text);
  const auto copies = firstAnswer(input_, text, "text_bytes", engine::kLinkonce, knowledge);
  ASSERT_TRUE(copies && !copies->empty());
  EXPECT_FALSE(std::ranges::equal(*copies, *first, {}, &env::Action::text, &env::Action::text));
  EXPECT_FALSE(firstAnswer(input_, text, "text_bytes", "", "/nowhere"));
}

TEST_F(QuickTuneTest, AnUnknownObjectiveIsRefused) {
  options_.objective = "beauty";
  EXPECT_EQ(quickTune(*engine_, input_, space_, options_).error().code, ErrorCode::kInvalidArgument);
}

// Of loops that -O3 makes copies of there is least where nothing is done.
TEST_F(QuickTuneTest, TheProgramAsItIsMayBeTheAnswer) {
  input_ = *engine::prepareInput((dir_.path() / "words.c").string(), *engine::parseBaseline("clang-O3"), {});
  space_.actions.clear();
  options_.learned = {};
  const QuickAnswer answer = *quickTune(*engine_, input_, space_, options_);
  EXPECT_LT(answer.tuned, answer.baseline);
  ASSERT_TRUE(answer.actions) << "which is not the baseline's own pipeline";
  EXPECT_TRUE(answer.actions->empty());
}

TEST_F(QuickTuneTest, MoreTimeIsNeverWorse) {
  const auto manifest = spaces::loadManifest(dataDir(), engine_->info());
  space_ = *spaces::loadSpace(dataDir(), "text", *manifest);
  for (const std::vector<std::string>& flags : {std::vector<std::string>{},
                                                {"-fno-asynchronous-unwind-tables"},
                                                {"--target=thumbv7em-none-eabi", "-mcpu=cortex-m4"},
                                                {"--target=riscv32-unknown-elf", "-march=rv32imc"}}) {
    input_ = *engine::prepareInput((dir_.path() / "words.c").string(), engine::Baseline{}, flags);
    for (const char* limit : {"code_bytes=+0%", "code_bytes=any"}) {
      options_.limits = {limit};
      double at_once = 0;
      // A nanosecond is over before the first answer is there.
      for (const double seconds : {0.0, 1e-9, 0.05, 0.5}) {
        options_.seconds = seconds;
        const Result<QuickAnswer> answer = quickTune(*engine_, input_, space_, options_);
        ASSERT_TRUE(answer) << answer.error().message;
        if (seconds == 0) at_once = answer->tuned;
        EXPECT_LE(answer->tuned, at_once)
            << seconds << " s, " << limit << ", " << fmt::format("{}", flags.size());
      }
    }
  }
}

}  // namespace
}  // namespace ordo::tune
