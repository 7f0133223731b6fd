// Any backend keeps the promises of a session, and is tuned, evaluated and written into a recipe by code that
// does not know it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "campaigns/eval.h"
#include "engine/engine.h"
#include "engine/program_library.h"
#include "engine/replay.h"
#include "engine/worker_only.h"
#include "env/episode.h"
#include "llvm/session/llvm_session.h"
#include "notation/action.h"
#include "search/catalog/catalog.h"
#include "spaces/groups.h"
#include "study/method.h"
#include "support/files.h"
#include "tests/fakes/mask_conformance.h"
#include "tests/fakes/schedule_session.h"
#include "tests/fakes/session_conformance.h"
#include "tests/fakes/toy_session.h"
#include "tune/tune.h"

namespace ordo {
namespace {

using testing::HasSubstr;

const std::filesystem::path kWorker = std::filesystem::path(ORDO_BIN_DIR) / "schedule-worker";

env::SessionSpec loopSpec() {
  return {"loop", "loop 1000", fakes::ScheduleBackend().describe()->actions, ""};
}

TEST(SessionConformance, Llvm) {
  constexpr const char* kText =
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "define i32 @f(i32 %x) { %p = alloca i32 store i32 %x, ptr %p %y = load i32, ptr %p ret i32 %y }";
  env::SessionSpec spec{"f", kText, {}, ""};
  for (const char* text :
       {"function(sroa<modify-cfg>)", "function(instcombine<no-verify-fixpoint>)", "globaldce"})
    spec.actions.push_back({text, notation::kPipeline, text});
  spec.actions.push_back({"+minsize", notation::kAttribute, "+minsize"});
  spec.actions.push_back({"no-such-pass", notation::kPipeline, "no-such-pass"});
  session::LlvmBackend here;
  fakes::expectConformance(here, spec);
  auto engine = engine::Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine) << engine.error().message;
  fakes::expectConformance((*engine)->backend(), spec);
}

TEST(SessionConformance, Schedules) {
  fakes::ScheduleBackend here;
  fakes::expectConformance(here, loopSpec());
  auto engine = engine::Engine::start({.remember_crashes = false, .worker = kWorker});
  ASSERT_TRUE(engine) << engine.error().message;
  fakes::expectConformance((*engine)->backend(), loopSpec());
  fakes::expectMaskConformance((*engine)->backend(), loopSpec());
}

TEST(SessionConformance, Counters) {
  fakes::ToyBackend toy;
  fakes::expectConformance(toy,
                           fakes::toySpec(100, {"dec", "inc", "enable", "halve-if-multiple-of-4", "-x=3"}));
}

class BackendTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto engine = engine::Engine::start({.remember_crashes = false, .worker = kWorker});
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = *std::move(engine);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  std::string file(std::string_view text) {
    const std::filesystem::path path = dir_.path() / "kernel.loop";
    EXPECT_TRUE(writeFile(path, text));
    return path.string();
  }

  static inline std::unique_ptr<engine::Engine> engine_;
  TempDir dir_ = *TempDir::create();
};

TEST_F(BackendTest, IsTunedAndWrittenIntoARecipe) {
  const Result<engine::Input> input = engine::readProgram(engine_->info(), file("loop 1000\n"), "");
  ASSERT_TRUE(input) << input.error().message;
  const Result<spaces::Space> space = engine::wholeSpace(engine_->info());
  ASSERT_TRUE(space) << space.error().message;
  tune::TuneOptions options;
  options.objective = "cycles";
  options.budget = {.evaluations = 2000};
  const Result<tune::Tuned> tuned = tune::tune(*engine_, *input, *space, options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->bitcode, "loop 1000 tile 32 unroll 4 vector 32");
  EXPECT_EQ(tuned->object, tuned->bitcode);
  EXPECT_EQ(tuned->verified, tune::Tuned::Checked::kPassed);
  EXPECT_GT(tuned->improvement(), 0.9);

  // The recipe says all of it, and is followed by who reads it.
  const Result<recipe::Recipe> read = recipe::parse(recipe::write(tuned->recipe), "kernel.ordo.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->backend, "schedule");
  EXPECT_EQ(read->baseline, "usual");
  EXPECT_EQ(read->figures.front().metric, "cycles");
  EXPECT_THAT(read->verified, HasSubstr("another worker makes the same program"));
  for (const env::Action& action : read->actions) EXPECT_EQ(action.kind, fakes::kScheduleKind);
  const Result<engine::Replayed> replayed = engine::replay(*engine_, *input, *read);
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(replayed->bitcode, tuned->bitcode);
  recipe::Recipe forged = *read;
  forged.result_hash.low ^= 1;
  EXPECT_EQ(engine::verifyWithStock(*engine_, *input, forged).error().code, ErrorCode::kCorrupt);
}

TEST_F(BackendTest, ParametersAreChosenAfterTheType) {
  const std::vector<spaces::ActionGroup> groups = spaces::groupActions(engine_->info().actions);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].type, "tile");
  EXPECT_THAT(groups[0].parameters, testing::ElementsAre("2", "4", "8", "32"));
}

TEST_F(BackendTest, IsEvaluatedInAStudy) {
  campaigns::EvalHost host(*engine::wholeSpace(engine_->info()), {}, campaigns::RunPurpose::kStudy, kWorker);
  const Result<study::Subject> subject = host.prepare(file("loop 64"));
  ASSERT_TRUE(subject) << subject.error().message;
  EXPECT_EQ(study::valueOf(subject->program, "usual", "cycles"), 64 * (1 + 2.0 / 4 + 1.0 / 8));
  const auto site = host.openSite();
  ASSERT_TRUE(site) << site.error().message;
  study::RunOptions options;
  options.method = study::searcherMethod(*search::find("greedy"));
  options.objective = {.metric = "cycles", .screen = ""};
  options.compiles = 60;
  options.metrics = campaigns::evalMetrics(engine_->info());
  const Result<study::Run> run = study::runMethod(**site, *subject, options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_LT(*study::valueOf(run->checkpoints.back().own, "cycles"), 64);
}

TEST_F(BackendTest, ItsProgramsAreEpisodes) {
  const auto library =
      engine::ProgramLibrary::create(*engine_, {.values = {"cycles/initial", "cycles/usual"}});
  ASSERT_TRUE(library) << library.error().message;
  const auto program = (*library)->load(file("loop 64"));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ((*program)->values.at("cycles/usual"), 64 * (1 + 2.0 / 4 + 1.0 / 8));
  EXPECT_FALSE(engine::ProgramLibrary::create(*engine_, {.values = {"cycles/clang-Oz"}}));
}

TEST_F(BackendTest, WhatCannotBeIsSaidInWords) {
  EXPECT_THAT(engine::readProgram(engine_->info(), file("loop 1"), "usul").error().message,
              testing::HasSubstr("usual"))
      << "the same words as for any other name";
  EXPECT_EQ(engine::readProgram(engine_->info(), "/nowhere", "").error().code, ErrorCode::kNotFound);
  const engine::Input nonsense = *engine::readProgram(engine_->info(), file("while true"), "");
  tune::TuneOptions options;
  options.objective = "cycles";
  const auto tuned = tune::tune(*engine_, nonsense, *engine::wholeSpace(engine_->info()), options);
  ASSERT_FALSE(tuned);
  EXPECT_THAT(tuned.error().message, HasSubstr("is no loop"));
  options.objective = "runtime";
  EXPECT_EQ(tune::tune(*engine_, nonsense, *engine::wholeSpace(engine_->info()), options).error().code,
            ErrorCode::kUnsupported);
  env::BackendInfo silent;
  silent.name = "silent";
  EXPECT_EQ(engine::readProgram(silent, file("loop 1"), "").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(engine::wholeSpace(silent).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo
