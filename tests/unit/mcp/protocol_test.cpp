#include "mcp/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/tool.h"

namespace ordo::mcp {
namespace {

using testing::HasSubstr;

Message request(std::string method, Json params = Json::object()) {
  Message message;
  message.id = 1;
  message.method = std::move(method);
  message.params = std::move(params);
  return message;
}
Json modern(Json params = Json::object(), std::string_view version = kModern) {
  params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", version},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  return params;
}
Json answered(const Message& message) {
  const auto result = answer(message, "1.2.3");
  EXPECT_TRUE(result && *result);
  return result && *result ? **result : Json();
}

TEST(ProtocolTest, TheHandshakeSettlesAVersionThatBothKnow) {
  EXPECT_EQ(answered(request("initialize", {{"protocolVersion", "2025-06-18"}}))["protocolVersion"],
            "2025-06-18");
  for (const Json& asked : {Json("2031-01-01"), Json("2026-07-28"), Json(5), Json()})
    EXPECT_EQ(answered(request("initialize", {{"protocolVersion", asked}}))["protocolVersion"], "2025-11-25");
  const Json result = answered(request("initialize"));
  EXPECT_EQ(result["serverInfo"]["version"], "1.2.3");
  EXPECT_TRUE(result["capabilities"].contains("tools"));
  EXPECT_FALSE(result.contains("resultType"));
}

TEST(ProtocolTest, TheLaterEraIsDiscovered) {
  const Json result = answered(request("server/discover", modern()));
  EXPECT_THAT(result["supportedVersions"].get<std::vector<std::string>>(), testing::Contains("2026-07-28"));
  EXPECT_EQ(result["resultType"], "complete");
  EXPECT_TRUE(result["ttlMs"].is_number_integer());
  EXPECT_EQ(result["cacheScope"], "private");
}

TEST(ProtocolTest, AnEnvelopeIsWholeOrRefused) {
  EXPECT_FALSE(faultOfEnvelope(request("tools/list")));
  EXPECT_FALSE(faultOfEnvelope(request("tools/list", modern())));
  const auto other = faultOfEnvelope(request("tools/list", modern(Json::object(), "2027-01-01")));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->code, kUnsupportedVersion);
  EXPECT_EQ(other->data["requested"], "2027-01-01");
  EXPECT_EQ(faultOfEnvelope(request("tools/list",
                                    {{"_meta", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}}}}))
                ->code,
            kInvalidParams);
}

TEST(ProtocolTest, EveryToolIsListedWithASchema) {
  const Json tools = answered(request("tools/list"))["tools"];
  EXPECT_EQ(tools.size(), agent::catalog().size());
  for (const Json& tool : tools) {
    EXPECT_EQ(tool["inputSchema"]["type"], "object");
    EXPECT_EQ(tool["annotations"]["readOnlyHint"], tool["name"] != "submit_sequence") << tool["name"];
  }
  EXPECT_TRUE(answered(request("tools/list", modern())).contains("ttlMs"));
}

TEST(ProtocolTest, ThePromptAsksForASmallerProgram) {
  EXPECT_EQ(answered(request("prompts/list"))["prompts"][0]["name"], "make_smaller");
  const Json prompt =
      answered(request("prompts/get", {{"name", "make_smaller"}, {"arguments", {{"file", "a \"b\".c"}}}}));
  EXPECT_THAT(prompt["messages"][0]["content"]["text"].get<std::string>(), HasSubstr(R"("a \"b\".c")"));
  for (const Json& wrong : {Json::object(), Json{{"name", "x"}}, Json{{"name", "make_smaller"}},
                            Json{{"name", "make_smaller"}, {"arguments", 5}}}) {
    const auto result = answer(request("prompts/get", wrong), "1");
    ASSERT_TRUE(result);
    EXPECT_FALSE(*result);
  }
}

TEST(ProtocolTest, OtherMethodsAreOthersWork) {
  EXPECT_FALSE(answer(request("tools/call"), "1"));
  EXPECT_FALSE(answer(request("sampling/createMessage"), "1"));
}

TEST(ProtocolTest, AToolsAnswerIsTextAndStructure) {
  const Json result = toolResult({{"value", 5}});
  EXPECT_EQ(result["isError"], false);
  EXPECT_EQ(result["content"][0]["text"], R"({"value":5})");
  EXPECT_EQ(result["structuredContent"]["value"], 5);
  EXPECT_EQ(toolResult({{"error", {{"code", "failed"}}}})["isError"], true);
}

}  // namespace
}  // namespace ordo::mcp
