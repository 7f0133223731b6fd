#include "agent/tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace ordo::agent {
namespace {

using testing::HasSubstr;

constexpr std::array<std::string_view, 2> kColours{"red", "blue"};
constexpr std::array kFields{
    Parameter{.name = "at", .type = ParameterType::kInteger, .summary = "A place.", .most = 9}};
constexpr std::array kAll{
    Parameter{.name = "name", .summary = "A name.", .most = 5},
    Parameter{.name = "colour", .summary = "A colour.", .absent = R"("red")", .choices = kColours},
    Parameter{.name = "count",
              .type = ParameterType::kInteger,
              .summary = "How many.",
              .absent = "3",
              .least = 1,
              .most = 9},
    Parameter{
        .name = "share", .type = ParameterType::kNumber, .summary = "A share.", .absent = "0.5", .most = 1},
    Parameter{
        .name = "list", .type = ParameterType::kTexts, .summary = "Names.", .absent = "null", .most = 3},
    Parameter{.name = "edits",
              .type = ParameterType::kObjects,
              .summary = "Edits.",
              .absent = "[]",
              .most = 2,
              .fields = kFields}};

Result<Arguments> check(std::string_view json) { return Arguments::check(kAll, Json::parse(json)); }
std::string refusal(std::string_view json) {
  const Result<Arguments> checked = check(json);
  return checked ? "" : checked.error().message;
}

TEST(ToolTest, ArgumentsAreCompletedWithWhatWasLeftOut) {
  const Result<Arguments> checked = check(R"({"name": "x", "count": null})");
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->text("name"), "x");
  EXPECT_EQ(checked->text("colour"), "red");
  EXPECT_EQ(checked->integer("count"), 3);
  EXPECT_EQ(checked->number("share"), 0.5);
  EXPECT_FALSE(checked->has("list"));
  EXPECT_TRUE(checked->objects("edits").empty());
}

TEST(ToolTest, WholeNumbersMayBeWrittenWithAPoint) {
  EXPECT_EQ(check(R"({"name": "x", "count": 5.0})")->integer("count"), 5);
}

TEST(ToolTest, SaysWhichArgumentIsWrongAndWhatItMayBe) {
  EXPECT_THAT(refusal("{}"), HasSubstr("'name' is missing: A name."));
  EXPECT_THAT(refusal("[1]"), HasSubstr("have to be an object"));
  EXPECT_THAT(refusal(R"({"name": "x", "colr": "red"})"), HasSubstr("did you mean 'colour'"));
  EXPECT_THAT(refusal(R"({"name": 5})"), HasSubstr("'name' has to be a text, and not 5"));
  EXPECT_THAT(refusal(R"({"name": "longer"})"), HasSubstr("more than 5 bytes"));
  EXPECT_THAT(refusal(R"({"name": "a\u0000b"})"), HasSubstr("zero byte"));
  EXPECT_THAT(refusal(R"({"name": "x", "colour": "green"})"), HasSubstr("none of red, blue"));
  EXPECT_THAT(refusal(R"({"name": "x", "count": 2.5})"), HasSubstr("a whole number"));
  EXPECT_THAT(refusal(R"({"name": "x", "count": 0})"), HasSubstr("1 to 9"));
  EXPECT_THAT(refusal(R"({"name": "x", "count": 1e300})"), HasSubstr("1 to 9"));
  EXPECT_THAT(refusal(R"({"name": "x", "share": "much"})"), HasSubstr("'share' has to be a number"));
  EXPECT_THAT(refusal(R"({"name": "x", "list": "sroa"})"), HasSubstr("'list' has to be a list"));
  EXPECT_THAT(refusal(R"({"name": "x", "list": ["a", 1]})"), HasSubstr("'list[1]'"));
  EXPECT_THAT(refusal(R"({"name": "x", "list": ["a", "b", "c", "d"]})"), HasSubstr("0 to 3 elements"));
  EXPECT_THAT(refusal(R"({"name": "x", "edits": [{}]})"), HasSubstr("'edits[0].at' is missing"));
  EXPECT_THAT(refusal(R"({"name": "x", "edits": [{"at": 1, "to": 2}]})"), HasSubstr("edits[0].to"));
}

TEST(ToolTest, WhatIsQuotedOfArgumentsIsShort) {
  EXPECT_LT(refusal(fmt::format(R"({{"name": ["{}"]}})", std::string(100000, 'x'))).size(), 300u);
}

TEST(ToolTest, ASchemaSaysTheSame) {
  const Json schema = schemaOf(kAll);
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["required"], Json::array({"name"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["colour"]["enum"], Json::array({"red", "blue"}));
  EXPECT_EQ(schema["properties"]["count"]["maximum"], 9);
  EXPECT_EQ(schema["properties"]["count"]["default"], 3);
  EXPECT_FALSE(schema["properties"]["list"].contains("default"));
  EXPECT_EQ(schema["properties"]["edits"]["items"]["properties"]["at"]["type"], "integer");
}

// Every member of the catalog.
TEST(ToolTest, TheCatalogKeepsItsPromises) {
  std::set<std::string_view> names;
  for (const Tool* tool : catalog()) {
    SCOPED_TRACE(tool->name);
    EXPECT_TRUE(names.insert(tool->name).second);
    EXPECT_EQ(findTool(tool->name), tool);
    EXPECT_FALSE(tool->title.empty());
    EXPECT_FALSE(tool->price.empty());
    EXPECT_TRUE(tool->summary.ends_with('.'));
    const std::vector<Parameter> parameters = parametersOf(*tool);
    for (const Parameter& parameter : parameters) {
      EXPECT_TRUE(parameter.summary.ends_with('.')) << parameter.name;
      if (!parameter.absent.empty()) {
        EXPECT_FALSE(Json::parse(parameter.absent, nullptr, false).is_discarded()) << parameter.name;
      }
    }
    const Result<Arguments> example = Arguments::check(parameters, Json::parse(tool->example));
    EXPECT_TRUE(example) << example.error().message;
    const Json function = functionDefinition(*tool);
    EXPECT_EQ(function["type"], "function");
    EXPECT_EQ(function["function"]["name"], tool->name);
    EXPECT_THAT(function["function"]["description"].get<std::string>(), HasSubstr("Price: "));
  }
  EXPECT_GE(names.size(), 13u);
}

}  // namespace
}  // namespace ordo::agent
