#include "support/json.h"

#include <gtest/gtest.h>

namespace ordo {
namespace {

Json parsed(std::string_view text) {
  Result<Json> json = parseJson(text, "test.json");
  EXPECT_TRUE(json.has_value()) << json.error().message;
  return json ? *json : Json();
}

TEST(JsonTest, SaysWhereAParseFails) {
  const Result<Json> json = parseJson("{\n  \"a\": 1,\n  oops\n}", "test.json");
  ASSERT_FALSE(json.has_value());
  EXPECT_EQ(json.error().code, ErrorCode::kCorrupt);
  EXPECT_NE(json.error().message.find("test.json"), std::string::npos);
  EXPECT_NE(json.error().message.find("line 3"), std::string::npos) << json.error().message;
}

TEST(JsonTest, DeepNestingIsNoStackOverflow) {
  const std::string deep(200000, '[');
  EXPECT_FALSE(parseJson(deep, "deep").has_value());
}

TEST(JsonTest, AKeyThatComesTwiceIsRefusedWhereThatIsAskedFor) {
  EXPECT_TRUE(parseJson(R"({"a":1,"a":2})", "doc"));
  EXPECT_TRUE(parseJsonWithUniqueKeys(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})", "doc"));
  for (const char* text : {R"({"a":1,"b":2,"a":3})", R"({"o":[{"p":{"a":1,"a":1}}]})"}) {
    const Result<Json> json = parseJsonWithUniqueKeys(text, "doc");
    ASSERT_FALSE(json) << text;
    EXPECT_EQ(json.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(json.error().message, "doc: the field 'a' comes twice");
  }
}

TEST(JsonTest, WritesBytesThatAreNotUtf8) {
  const std::string text = writeJson(Json{{"a", "\xff"}});
  EXPECT_TRUE(parseJson(text, "again").has_value());
}

TEST(JsonTest, ReadsFieldsOfEveryType) {
  const Json json =
      parsed(R"({"s":"x","d":1.5,"i":-7,"b":true,"l":["a","b"],"o":{"k":1},"r":[{"k":1},{"k":2}]})");
  const JsonObject object = *JsonObject::of(json, "doc");
  EXPECT_EQ(*object.get<std::string>("s"), "x");
  EXPECT_EQ(*object.get<double>("d"), 1.5);
  EXPECT_EQ(*object.get<double>("i"), -7);
  EXPECT_EQ(*object.get<std::int64_t>("i"), -7);
  EXPECT_TRUE(*object.get<bool>("b"));
  EXPECT_EQ(object.get<std::vector<std::string>>("l")->size(), 2u);
  EXPECT_FALSE(object.get<std::vector<double>>("l"));
  EXPECT_EQ(*object.object("o")->get<std::int64_t>("k"), 1);
  EXPECT_EQ(*object.objects("r")->at(1).get<std::int64_t>("k"), 2);
  EXPECT_EQ(*object.get<std::int64_t>("absent", 9), 9);
}

TEST(JsonTest, ComplaintsNameTheDocumentAndTheField) {
  const Json json = parsed(R"({"a":{"n":1.5,"big":18446744073709551615},"r":[1]})");
  const JsonObject root = *JsonObject::of(json, "doc");
  const JsonObject object = *root.object("a");
  for (const auto& [status, wanted] : std::vector<std::pair<Error, std::string>>{
           {root.get<std::string>("gone").error(), "doc: the field 'gone' is missing"},
           {object.get<std::int64_t>("n").error(), "doc: a: the field 'n' should be a whole number"},
           {object.get<std::int64_t>("big").error(), "doc: a: the field 'big' should be a whole number"},
           {object.get<bool>("n").error(), "doc: a: the field 'n' should be true or false"},
           {root.get<std::vector<std::string>>("r").error(),
            "doc: the field 'r' should be a list of strings"},
           {root.objects("r").error(), "doc: r[0] is not a JSON object"},
           {root.onlyHas({"a"}).error(), "doc: unknown field 'r'"}}) {
    EXPECT_EQ(status.code, ErrorCode::kCorrupt);
    EXPECT_EQ(status.message, wanted);
  }
}

}  // namespace
}  // namespace ordo
