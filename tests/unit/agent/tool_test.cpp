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
  EXPECT_THAT(refusal(R"({"name": "longer"})"), HasSubstr("0 to 5 characters, and not 6"));
  EXPECT_EQ(refusal(R"({"name": "größe"})"), "") << "as JSON Schema counts them";
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
  EXPECT_EQ(schema["properties"]["count"]["minimum"], 1);
  EXPECT_EQ(schema["properties"]["share"]["minimum"], 0);
  EXPECT_EQ(schema["properties"]["name"]["maxLength"], 5);
  EXPECT_EQ(schema["properties"]["list"]["maxItems"], 3);
}

// Every number that clients read as one without a point, and every bound at its edge.
void look(const Json& schema, const std::string& where) {
  for (const char* key : {"minLength", "maxLength", "minItems", "maxItems"}) {
    if (schema.contains(key)) {
      EXPECT_TRUE(schema[key].is_number_integer()) << where << '.' << key;
    }
  }
  const std::string type = schema.value("type", "");
  for (const char* key : {"minimum", "maximum"}) {
    if (type != "integer" && type != "number") continue;
    ASSERT_TRUE(schema.contains(key)) << where << '.' << key;
    EXPECT_TRUE(type == "number" || schema[key].is_number_integer()) << where << '.' << key;
  }
  if (schema.contains("items")) look(schema["items"], where + "[]");
  if (schema.contains("properties")) {
    for (const auto& [name, property] : schema["properties"].items()) look(property, where + "." + name);
  }
}

TEST(ToolTest, ASchemaAllowsWhatTheCheckAllowsAndNothingElse) {
  for (const Tool* tool : catalog()) {
    SCOPED_TRACE(tool->name);
    const std::vector<Parameter> parameters = parametersOf(*tool);
    const Json schema = schemaOf(parameters);
    look(schema, std::string(tool->name));
    const Json example = Json::parse(tool->example);
    const auto takes = [&](const std::string& name, const Json& value) {
      Json arguments = example;
      arguments[name] = value;
      return Arguments::check(parameters, arguments).has_value();
    };
    for (const auto& [name, property] : schema["properties"].items()) {
      const std::string type = property["type"];
      if (type == "integer" || type == "number") {
        const Json least = property["minimum"], most = property["maximum"];
        EXPECT_TRUE(takes(name, least) && takes(name, most)) << name;
        EXPECT_FALSE(takes(name, least.get<double>() - 1) || takes(name, most.get<double>() + 1)) << name;
      } else if (type == "string" && !property.contains("enum")) {
        const auto least = property["minLength"].get<std::size_t>(),
                   most = property["maxLength"].get<std::size_t>();
        EXPECT_TRUE(takes(name, std::string(least, 'x')) && takes(name, std::string(most, 'x'))) << name;
        EXPECT_FALSE(takes(name, std::string(most + 1, 'x'))) << name;
        if (least > 0) EXPECT_FALSE(takes(name, std::string(least - 1, 'x'))) << name;
      } else if (type == "array" && property["items"]["type"] == "string") {
        const auto most = property["maxItems"].get<std::size_t>();
        EXPECT_TRUE(takes(name, std::vector<std::string>(most, "x"))) << name;
        EXPECT_FALSE(takes(name, std::vector<std::string>(most + 1, "x"))) << name;
        const auto longest = property["items"]["maxLength"].get<std::size_t>();
        EXPECT_TRUE(takes(name, Json::array({std::string(longest, 'x')}))) << name;
        EXPECT_FALSE(takes(name, Json::array({std::string(longest + 1, 'x')}))) << name;
      }
    }
  }
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
