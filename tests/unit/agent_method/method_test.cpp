#include "agent_method/method.h"

#include <gmock/gmock.h>

#include "engine/input.h"
#include "engine/objective.h"
#include "spaces/manifest.h"
#include "study/run.h"
#include "tests/fakes/engine_fixture.h"
#include "tests/unit/agent_method/scripted_python.h"

namespace ordo::agent_method {
namespace {

using testing::HasSubstr;

class EngineSite final : public study::Site {
 public:
  env::Backend& backend() override { return engine_->backend(); }
  FamilyUsage usage() const override { return engine_->usage(); }
  std::int64_t workersDied() const override { return 0; }
  engine::Engine& engine() { return *engine_; }

 private:
  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::start({.remember_crashes = false});
};

class MethodTest : public ScriptedPython {
 protected:
  void SetUp() override {
    ScriptedPython::SetUp();
    const std::string file = (dir_.path() / "small.c").string();
    ASSERT_TRUE(writeFile(file, engine::kSmallProgram));
    const engine::Input input = *engine::prepareInput(file, {frontend::Level::kOz, false}, {});
    const auto manifest = *spaces::loadManifest(dataDir(), site_.engine().info());
    subject_.program.uri = file;
    subject_.spec = {file, input.compiled.bytes, {}, input.settings()};
    subject_.spec.actions = engine::candidateActions(input, *spaces::loadSpace(dataDir(), "size", manifest),
                                                     false, subject_.baseline);
  }

  study::Run run(const std::string& text, std::uint64_t compiles = 20) {
    const Result<study::Method> method = makeMethod(text, {.space = "size"}, pool_);
    EXPECT_TRUE(method) << method.error().message;
    study::RunOptions options;
    options.method = *method;
    options.objective = engine::objectiveFor("ir_instructions");
    options.compiles = compiles;
    options.metrics = {"ir_instructions"};
    const Result<study::Run> made = study::runMethod(site_, subject_, options);
    EXPECT_TRUE(made) << made.error().message;
    return made.value_or(study::Run{});
  }

  EngineSite site_;
  study::Subject subject_;
  std::shared_ptr<ModelPool> pool_ = makePool(nullptr);
};

TEST_F(MethodTest, ADialogueIsCountedAsASearchIs) {
  const study::Run run = this->run("agent:random:1");
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.statistics.evaluations, 3u) << "two seeds, and what it measured";
  ASSERT_EQ(run.checkpoints.size(), 2u);
  ASSERT_EQ(run.improvements.size(), 1u);
  EXPECT_EQ(run.improvements[0].actions, (std::vector<std::string>{"sroa", "clang-Oz"}));
  ASSERT_TRUE(run.talk);
  const study::Talk& talk = *run.talk;
  EXPECT_TRUE(talk.answered) << talk.why;
  EXPECT_EQ(talk.actions, run.improvements[0].actions);
  EXPECT_EQ(talk.value, run.improvements[0].value);
  EXPECT_EQ(talk.replies, 2u);
  EXPECT_EQ(talk.calls, 2u);
  EXPECT_EQ(talk.prompt_tokens, 200);
  EXPECT_EQ(talk.flops, 2e9);
  EXPECT_EQ(talk.flops_from, "the model");
  EXPECT_GT(talk.model_cpu_s, 0);
  EXPECT_GE(run.method_cpu_s, talk.model_cpu_s);
}

TEST_F(MethodTest, WhatTheDialogueLeavesIsSearchedWhereThatIsAsked) {
  const study::Run always = run("agent:random:1 search=always", 30);
  EXPECT_EQ(always.failure, "");
  EXPECT_GT(always.statistics.evaluations, 20u);
  EXPECT_LE(always.improvements.back().evaluation, 30u);
  EXPECT_EQ(always.talk->calls, 2u);
  const study::Run prompt = run("agent:random:1 search=prompt", 30);
  EXPECT_EQ(prompt.talk->calls, 2u) << "the search and what it submits";
  EXPECT_GT(prompt.statistics.evaluations, 10u);
}

TEST_F(MethodTest, AModelThatDiesCostsItsDialogueOnly) {
  for (int i = 0; i < 2; ++i) {
    const study::Run run = this->run("agent:random:2");
    EXPECT_THAT(run.failure, HasSubstr("the model failed")) << i;
    EXPECT_THAT(run.failure, HasSubstr("killed by me"));
    ASSERT_TRUE(run.talk);
    EXPECT_FALSE(run.talk->answered);
    EXPECT_EQ(run.talk->calls, 1u) << "another one was started";
  }
  EXPECT_THAT(run("agent:random:5").failure, HasSubstr("too long"));
}

TEST_F(MethodTest, WhoSaysNonsenseHasTheBaseline) {
  const study::Run run = this->run("agent:random:3");
  EXPECT_EQ(run.failure, "");
  EXPECT_TRUE(run.improvements.empty());
  ASSERT_TRUE(run.talk);
  EXPECT_FALSE(run.talk->answered);
  EXPECT_EQ(run.talk->why, "the model called no tools");
  EXPECT_EQ(run.talk->value, run.seed_value);
}

TEST_F(MethodTest, WhatCannotStartIsSaidAtOnce) {
  const auto method = makeMethod("agent:random:4", {.space = "size"}, pool_);
  ASSERT_FALSE(method);
  EXPECT_THAT(method.error().message, HasSubstr("no module named torch"));
}

}  // namespace
}  // namespace ordo::agent_method
