#include "tune/critic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/knowledge.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "spaces/space.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::tune {
namespace {

using testing::HasSubstr;

class CriticTest : public engine::EngineFixture {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(dir_.path() / "small.c", engine::kSmallProgram));
    input_ = *engine::prepareInput((dir_.path() / "small.c").string(), {}, {});
    const auto manifest = spaces::loadManifest(dataDir(), engine_->info());
    ASSERT_TRUE(manifest);
    space_ = *spaces::loadSpace(dataDir(), "size", *manifest);
    env::ActionIndex baseline = 0;
    actions_ = engine::candidateActions(input_, space_, false, baseline);
    session_ = *engine_->backend().open({"small", input_.compiled.bytes, actions_, input_.settings()});
  }

  Result<Critic> make(const std::string& objective = "ir_instructions") {
    return Critic::create(engine::policyPath("shipped"), engine_->info(), space_.actions, actions_,
                          {objective, "clang-Oz", 100, 50});
  }
  bool consider(Critic& critic, const std::vector<env::ActionIndex>& actions) {
    env::StepRequest request;
    request.reset = true;
    request.actions = actions;
    request.observations = critic.observations();
    const auto report = session_->step(request);
    EXPECT_TRUE(report && report->outcome.ok());
    return critic.consider(actions, report->observations, 80);
  }

  const TempDir dir_ = *TempDir::create();
  engine::Input input_;
  spaces::Space space_;
  std::vector<env::Action> actions_;
  std::unique_ptr<env::Session> session_;
};

TEST_F(CriticTest, ChoicesAreRankedByHowLikelyTheyAre) {
  Result<Critic> critic = make();
  ASSERT_TRUE(critic) << critic.error().message;
  ASSERT_TRUE(consider(*critic, {}));
  const std::vector<std::size_t> ranking = critic->ranking();
  double sum = 0, before = 1;
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const Opinion opinion = critic->opinion(ranking[i]);
    EXPECT_LE(opinion.probability, before);
    EXPECT_LE(opinion.rank, i + 1);
    before = opinion.probability;
    sum += opinion.probability;
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(critic->opinion(ranking.front()).first, critic->name(ranking.front()));
}

TEST_F(CriticTest, ChoicesAreTheSessionsActions) {
  Result<Critic> critic = make();
  ASSERT_TRUE(critic);
  ASSERT_TRUE(consider(*critic, {}));
  EXPECT_EQ(critic->name(critic->stop()), "stop");
  EXPECT_FALSE(critic->actionOf(critic->stop()));
  for (const std::size_t choice : critic->ranking()) {
    const auto action = critic->actionOf(choice);
    if (!action) continue;
    EXPECT_EQ(actions_[*action].name, critic->name(choice));
    EXPECT_EQ(critic->choiceOf(*action), choice);
  }
}

TEST_F(CriticTest, WhatHasRunIsAClue) {
  Result<Critic> critic = make();
  ASSERT_TRUE(critic);
  ASSERT_TRUE(consider(*critic, {}));
  const auto sroa = static_cast<env::ActionIndex>(std::ranges::find(actions_, "sroa", &env::Action::name) -
                                                  actions_.begin());
  const double first = critic->opinion(*critic->choiceOf(sroa)).probability;
  ASSERT_TRUE(consider(*critic, {sroa}));
  EXPECT_NE(critic->opinion(*critic->choiceOf(sroa)).probability, first);
  std::string words;
  for (const std::size_t choice : critic->ranking()) {
    for (const Clue& clue : critic->opinion(choice).clues) words += clue.words + "\n";
  }
  EXPECT_THAT(words, HasSubstr("sroa just ran"));
}

TEST_F(CriticTest, AnObjectiveThatItDoesNotKnowIsRefused) {
  EXPECT_THAT(make("compile_ms").error().message, HasSubstr("compile_ms"));
}

}  // namespace
}  // namespace ordo::tune
