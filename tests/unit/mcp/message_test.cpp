#include "mcp/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::mcp {
namespace {

int codeOf(std::string_view text) {
  const auto message = readMessage(text);
  return message ? 0 : message.error().fault.code;
}

TEST(MessageTest, RequestsNotificationsAndResponsesAreToldApart) {
  const auto request =
      readMessage(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": {"a": 2}}})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->kind, Message::Kind::kRequest);
  EXPECT_EQ(request->meta("a"), 2);
  EXPECT_TRUE(request->meta("b").is_null());
  EXPECT_EQ(readMessage(R"({"jsonrpc": "2.0", "method": "x"})")->kind, Message::Kind::kNotification);
  EXPECT_EQ(readMessage(R"({"jsonrpc": "2.0", "id": "a", "result": {}})")->kind, Message::Kind::kResponse);
}

TEST(MessageTest, WhatIsNoneIsRefusedWithACode) {
  for (const char* text : {"", "nonsense", "{", "\"x\"x", "{\"a\":}"})
    EXPECT_EQ(codeOf(text), kParseError) << text;
  for (const char* text :
       {"5", "null", "[]", R"([{"jsonrpc": "2.0", "id": 1, "method": "x"}])", "{}",
        R"({"jsonrpc": "1.0", "id": 1, "method": "x"})", R"({"jsonrpc": "2.0", "id": 1})",
        R"({"jsonrpc": "2.0", "id": null, "method": "x"})", R"({"jsonrpc": "2.0", "id": 1.5, "method": "x"})",
        R"({"jsonrpc": "2.0", "id": [], "method": "x"})", R"({"jsonrpc": "2.0", "id": 1, "method": 5})",
        R"({"jsonrpc": "2.0", "id": 1, "result": 1, "error": {}})"})
    EXPECT_EQ(codeOf(text), kInvalidRequest) << text;
  EXPECT_EQ(codeOf(R"({"jsonrpc": "2.0", "id": 1, "method": "x", "params": []})"), kInvalidParams);
  EXPECT_EQ(readMessage(R"({"jsonrpc": "2.0", "id": 7, "method": 5})").error().id, 7) << "it is told";
}

TEST(MessageTest, DeepLargeAndCrowdedOnesAreNotParsed) {
  EXPECT_EQ(codeOf(std::string(1000000, '[')), kParseError);
  EXPECT_EQ(codeOf(std::string((1u << 20) + 1, ' ')), kParseError);
  std::string crowd = R"({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {)";
  for (int i = 0; i < 5000; ++i) crowd += fmt::format("\"{}\": 1,", i);
  EXPECT_EQ(codeOf(crowd + R"("z": 1}})"), kParseError);
  // Brackets in texts are none.
  EXPECT_EQ(codeOf(fmt::format(R"({{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {{"a": "{}\""}}}})",
                               std::string(200, '['))),
            0);
}

TEST(MessageTest, WhatIsWrittenIsReadAgain) {
  EXPECT_EQ(readMessage(writeResult(5, {{"a", 1}}))->result["a"], 1);
  EXPECT_EQ(readMessage(writeRequest("q", "m", Json::object()))->method, "m");
  EXPECT_EQ(readMessage(writeNotification("n", {{"x", "\n"}}))->params["x"], "\n");
  const Json fault = Json::parse(writeFault(nullptr, {kParseError, "bad", {{"k", 1}}}));
  EXPECT_TRUE(fault["id"].is_null());
  EXPECT_EQ(fault["error"]["data"]["k"], 1);
  EXPECT_EQ(writeResult(1, {{"text", "a\nb"}}).find('\n'), std::string::npos) << "a message is a line";
}

}  // namespace
}  // namespace ordo::mcp
