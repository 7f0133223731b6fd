#include "web/answers.h"

#include <gmock/gmock.h>

#include "tests/unit/web/fixture.h"

namespace ordo::web {
namespace {

using testing::HasSubstr;

class AnswersTest : public BenchFixture {
 protected:
  using Answer = Result<Json> (*)(Bench&, const search::Sequence&, const JsonObject&);
  static Result<Json> ask(Answer answer, const Json& body) {
    const Result<JsonObject> object = JsonObject::of(body, "the body");
    const Result<search::Sequence> actions = readActions(bench_->program, *object, "actions");
    if (!actions) return fail(actions.error());
    return answer(*bench_, *actions, *object);
  }
};

TEST_F(AnswersTest, TheProgramIsDescribedWithItsActions) {
  ProgramSpec from = spec();
  from.recipe.emplace();
  from.recipe->reasons = {{0, 12}};
  from.recipe->functions = {{"f", 7}};
  const Json about = aboutProgram(*bench_, from);
  EXPECT_EQ(about["baseline"]["name"], "clang-Oz");
  EXPECT_EQ(about["reference"]["name"], "bare-Oz");
  EXPECT_GT(about["reference"]["value"], 0);
  EXPECT_EQ(about["unit"], "instructions");
  EXPECT_EQ(about["actions"].size(), bench_->program.actions().size());
  EXPECT_EQ(about["features"].size(), 56u);
  EXPECT_EQ(about["recipe"]["reasons"][0]["saves"], 12);
  EXPECT_EQ(about["recipe"]["functions"][0]["saves"], 7);
}

TEST_F(AnswersTest, StatesSayWhatWasTakenAndWhatWasPreferred) {
  const Result<Json> answer = ask(statesAlong, {{"actions", {"sroa", "sroa"}}});
  ASSERT_TRUE(answer) << answer.error().message;
  const Json& states = (*answer)["states"];
  ASSERT_EQ(states.size(), 3u);
  EXPECT_TRUE((*answer)["failed"].is_null());
  EXPECT_TRUE(states[1]["changed"]);
  EXPECT_FALSE(states[2]["changed"]);
  EXPECT_EQ(states[0]["preferred"].size(), 12u);
  EXPECT_GE(states[0]["taken"]["rank"], 1);
  EXPECT_FALSE(states[2].contains("taken"));
}

TEST_F(AnswersTest, FunctionsThatChangedAreCountedAndTheirTextIsThere) {
  const Result<Json> list = ask(listFunctions, {{"actions", {"sroa"}}, {"from", Json::array()}});
  ASSERT_TRUE(list) << list.error().message;
  bool found = false;
  for (const Json& row : (*list)["functions"]) {
    if (row["name"] != "weight") continue;
    found = true;
    EXPECT_EQ(row["presence"], "both");
    EXPECT_GT(row["removed"], 0);
  }
  EXPECT_TRUE(found);
  const Result<Json> gone = ask(listFunctions, {{"actions", {"clang-Oz"}}, {"from", Json::array()}});
  EXPECT_THAT(writeJson(*gone), HasSubstr(R"("presence":"gone")"));  // twice()
  const Json body{{"actions", {"sroa"}}, {"name", "main"}, {"form", "ir"}};
  EXPECT_THAT((*ask(functionText, body))["text"].get<std::string>(), HasSubstr("define"));
}

TEST_F(AnswersTest, AssemblyIsWhatClangMakesOfTheState) {
  const Result<Json> text = ask(functionText, {{"actions", {"sroa"}}, {"name", "main"}, {"form", "asm"}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT((*text)["text"].get<std::string>(), HasSubstr("ret"));
}

TEST_F(AnswersTest, StockCommandsHaveThePasses) {
  const Result<Json> lines = ask(stockLines, {{"actions", {"sroa"}}});
  ASSERT_TRUE(lines) << lines.error().message;
  EXPECT_THAT(writeJson(*lines), HasSubstr("sroa"));
}

TEST_F(AnswersTest, BodiesThatAreNotAsTheyShouldBeAreErrors) {
  EXPECT_FALSE(ask(statesAlong, Json::object()));
  EXPECT_FALSE(ask(statesAlong, {{"actions", {"no-such"}}}));
  EXPECT_FALSE(ask(statesAlong, {{"actions", Json::array()}, {"more", 1}}));
  EXPECT_FALSE(ask(listFunctions, {{"actions", Json::array()}}));
  EXPECT_FALSE(ask(functionText, {{"actions", Json::array()}, {"name", "main"}, {"form", "exe"}}));
  EXPECT_FALSE(ask(whyAction, {{"actions", Json::array()}, {"action", 1}}));
}

}  // namespace
}  // namespace ordo::web
