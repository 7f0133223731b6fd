#include "agent/conversation.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/unit/agent/fixture.h"

namespace ordo::agent {
namespace {

using testing::HasSubstr;

Json callOf(std::string_view tool, const Json& arguments) {
  return {
      {"id", "x"}, {"type", "function"}, {"function", {{"name", tool}, {"arguments", writeJson(arguments)}}}};
}
Json says(std::string_view text, std::vector<Json> calls = {}) {
  Json message{{"role", "assistant"}, {"content", text}};
  if (!calls.empty()) message["tool_calls"] = calls;
  return message;
}

// Says what a function tells it to.
class ScriptedModel final : public Model {
 public:
  using Script = std::function<Result<Json>(int reply, const Json& messages)>;
  explicit ScriptedModel(Script script) : script_(std::move(script)) {}
  const std::string& name() const override { return name_; }
  Result<agent::Reply> reply(const Json& messages, const Json&, const Sampling&) override {
    ORDO_TRY_ASSIGN(Json message, script_(replies_++, messages));
    return agent::Reply{std::move(message), 10, 2, 100};
  }

 private:
  Script script_;
  int replies_ = 0;
  std::string name_ = "scripted";
};

class ConversationTest : public HostFixture {
 protected:
  // What comes of it; `events_` are what was said of it.
  Conversation hold(ScriptedModel::Script script, const ConversationOptions& options = {}) {
    ScriptedModel model(std::move(script));
    const Result<Conversation> talk = converse(*host_, open(), model, options, [&](const Event& event) {
      if (event.kind == Event::Kind::kCall) called_.emplace_back(event.tool);
      if (event.kind == Event::Kind::kNote) notes_.push_back(event.content.get<std::string>());
    });
    EXPECT_TRUE(talk) << talk.error().message;
    return talk.value_or(Conversation{});
  }

  std::vector<std::string> called_, notes_;
};

TEST_F(ConversationTest, AModelMeasuresAndSubmits) {
  const Conversation talk = hold([](int reply, const Json& messages) -> Result<Json> {
    if (reply == 0) return says("first", {callOf("suggest_actions", {{"sequence", Json::array()}})});
    if (reply == 1) {
      const Json result = Json::parse(messages.back()["content"].get<std::string>());
      return says("", {callOf("measure_sequence", {{"sequence", result["answer"]["sequence"]}})});
    }
    return says("done", {callOf("submit_sequence", Json::object())});
  });
  EXPECT_EQ(talk.end, End::kSubmitted);
  EXPECT_EQ(talk.replies, 3);
  EXPECT_EQ(talk.calls, 3);
  EXPECT_EQ(talk.failed_calls, 0);
  EXPECT_EQ(talk.completion_tokens, 6);
  EXPECT_EQ(talk.flops, 300);
  EXPECT_GE(talk.result["gain"].get<double>(), 0);
  EXPECT_EQ(called_, (std::vector<std::string>{"suggest_actions", "measure_sequence", "submit_sequence"}));
  // Two to begin with, and for each reply one and its result.
  ASSERT_EQ(talk.messages.size(), 8u);
  EXPECT_EQ(talk.messages[0]["role"], "system");
  EXPECT_EQ(talk.messages[3]["role"], "tool");
  EXPECT_EQ(talk.messages[3]["tool_call_id"], "x");
}

TEST_F(ConversationTest, CallsInTextAreCallsToo) {
  const Conversation talk = hold([](int reply, const Json& messages) -> Result<Json> {
    if (reply == 0)
      return says(
          R"(<tool_call>{"name": "measure_sequence", "arguments": {"sequence": ["sroa"]}}</tool_call>)");
    EXPECT_EQ(messages.back()["role"], "user");
    EXPECT_THAT(messages.back()["content"].get<std::string>(), HasSubstr("<tool_response>"));
    return says(R"(<answer>["clang-Oz"]</answer>)");
  });
  EXPECT_EQ(talk.end, End::kSubmitted);
}

TEST_F(ConversationTest, WhoNeverSubmitsHasTheBestSubmitted) {
  ConversationOptions options;
  options.replies = 3;
  const Conversation talk = hold(
      [](int, const Json&) -> Result<Json> {
        return says("", {callOf("measure_sequence", {{"sequence", {"clang-Oz", "simplifycfg"}}})});
      },
      options);
  EXPECT_EQ(talk.end, End::kReplies);
  EXPECT_EQ(talk.replies, 3);
  EXPECT_FALSE(talk.result.contains("error"));
  EXPECT_THAT(notes_, testing::ElementsAre(HasSubstr("submitting the best")));
}

TEST_F(ConversationTest, WhoTalksWithoutCallingIsAskedTwiceAndLeft) {
  const Conversation talk =
      hold([](int, const Json&) -> Result<Json> { return says("I would rather talk."); });
  EXPECT_EQ(talk.end, End::kIdle);
  EXPECT_EQ(talk.calls, 0);
  EXPECT_GE(talk.result["gain"].get<double>(), 0);
}

TEST_F(ConversationTest, NonsenseIsAnErrorToItAndEndsAfterSome) {
  for (const Json& call : std::vector<Json>{
           callOf("no_such_tool", Json::object()),
           callOf("open_program", {{"file", "/etc/passwd"}}),
           {{"function", {{"name", "measure_sequence"}, {"arguments", "{broken"}}}},
           {{"function", {{"name", 5}}}},
           Json(7),
           Json::array({1}),
           {{"function", {{"name", "measure_sequence"}, {"arguments", {{"sequence", "sroa"}}}}}}}) {
    const Conversation talk = hold([&](int, const Json&) -> Result<Json> { return says("", {call}); });
    EXPECT_EQ(talk.end, End::kErrors) << writeJson(call);
    EXPECT_EQ(talk.failed_calls, ConversationOptions().failed_calls);
    EXPECT_GE(talk.result["gain"].get<double>(), 0);
  }
}

TEST_F(ConversationTest, MessagesThatAreNoneDoNoHarm) {
  for (const Json& message : std::vector<Json>{Json::object(),
                                               {{"content", 5}},
                                               {{"tool_calls", "x"}},
                                               {{"content", nullptr}, {"tool_calls", Json::array()}}}) {
    const Conversation talk = hold([&](int, const Json&) -> Result<Json> { return message; });
    EXPECT_EQ(talk.end, End::kIdle) << writeJson(message);
  }
}

TEST_F(ConversationTest, EndlessCallsComeToAnEnd) {
  ConversationOptions options;
  options.replies = 5;
  const Conversation talk = hold(
      [](int, const Json&) -> Result<Json> {
        return says("", std::vector<Json>(1000, callOf("list_actions", {{"limit", 1}})));
      },
      options);
  EXPECT_EQ(talk.end, End::kErrors) << "those beyond eight are refused";
  EXPECT_LE(talk.replies, 5);
}

TEST_F(ConversationTest, AModelThatFailsLeavesTheBestSoFar) {
  const Conversation talk = hold([](int reply, const Json&) -> Result<Json> {
    if (reply == 0) return says("", {callOf("search_sequences", {{"compiles", 20}})});
    return fail(ErrorCode::kUnavailable, "the connection broke");
  });
  EXPECT_EQ(talk.end, End::kModel);
  EXPECT_EQ(talk.why, "the connection broke");
  EXPECT_FALSE(talk.result.contains("error"));
}

TEST_F(ConversationTest, AfterTheResultNothingIsDone) {
  const Conversation talk = hold([](int, const Json&) -> Result<Json> {
    return says("", {callOf("submit_sequence", Json::object()),
                     callOf("measure_sequence", {{"sequence", {"sroa"}}})});
  });
  EXPECT_EQ(talk.end, End::kSubmitted);
  EXPECT_THAT(talk.messages.back()["content"].get<std::string>(), HasSubstr("submitted before"));
}

TEST_F(ConversationTest, AModelWritesNoFiles) {
  const Conversation talk = hold([](int, const Json&) -> Result<Json> {
    return says("", {callOf("submit_sequence", {{"folder", dir_->path().string()}})});
  });
  EXPECT_EQ(talk.result["files"], Json::array());
}

TEST_F(ConversationTest, AnInterruptEndsIt) {
  std::atomic<bool> stop{false};
  ConversationOptions options;
  options.stop = &stop;
  const Conversation talk = hold(
      [&](int, const Json&) -> Result<Json> {
        stop = true;
        return says("", {callOf("measure_sequence", {{"sequence", {"sroa"}}})});
      },
      options);
  EXPECT_EQ(talk.end, End::kStopped);
  EXPECT_FALSE(talk.result.contains("error"));
}

TEST_F(ConversationTest, WhatIsOfferedNamesNeitherFilesNorPrograms) {
  const Json tools = offeredTools();
  EXPECT_EQ(tools.size(), catalog().size() - 1);
  const std::string all = writeJson(tools);
  EXPECT_THAT(all, testing::Not(HasSubstr("open_program gave")));
  EXPECT_THAT(all, testing::Not(HasSubstr("\"folder\"")));
}

}  // namespace
}  // namespace ordo::agent
