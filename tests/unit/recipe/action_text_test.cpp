#include "recipe/action_text.h"

#include <gtest/gtest.h>

namespace ordo::recipe {
namespace {

TEST(ActionTextTest, ActionsAreReadAsTheyWereWritten) {
  const Json json = {{"a", toJson({{"n", "attribute", "+minsize"}, {"c", "codegen", "-disable-lsr"}})}};
  const auto actions = actionsFrom(*JsonObject::of(json, "x"), "a");
  ASSERT_EQ(actions->size(), 2u);
  EXPECT_EQ(actions->back().kind, "codegen");
  EXPECT_EQ(actions->front().name, "n");
  EXPECT_EQ(actions->front().kind, "attribute");
  EXPECT_EQ(actions->front().text, "+minsize");
}

TEST(ActionTextTest, AnUnknownFieldOrTypeIsRefused) {
  for (const char* text : {R"({"a": [{"name": "n", "kind": 3, "text": "t"}]})",
                           R"({"a": [{"name": "n", "kind": "pipeline", "text": "t", "x": 1}]})",
                           R"({"a": [{"name": "n", "kind": "pipeline"}]})", R"({"a": 1})", "{}"}) {
    const Json json = *parseJson(text, "x");
    const auto actions = actionsFrom(*JsonObject::of(json, "x"), "a");
    ASSERT_FALSE(actions) << text;
    EXPECT_EQ(actions.error().code, ErrorCode::kCorrupt);
  }
}

TEST(ActionTextTest, SettingsStandBesideOtherFields) {
  Json json = {{"backend", "toy"}, {"level", 2}};
  addSettings(json, R"({"speed":7,"shape":[1,2]})");
  EXPECT_EQ(writeJson(json), R"({"backend":"toy","level":2,"speed":7,"shape":[1,2]})");
  EXPECT_EQ(*settingsFrom(*JsonObject::of(json, "x"), {"backend", "level"}), R"({"speed":7,"shape":[1,2]})");
  EXPECT_EQ(*settingsFrom(*JsonObject::of(json, "x"), {"backend", "level", "speed", "shape"}), "");
  addSettings(json, "");
  EXPECT_EQ(json.size(), 4u);
}

// What they were put in place of would be carried out unseen.
TEST(ActionTextTest, SettingsThatHideSomethingAreRefused) {
  std::string deep(100000, '[');
  deep.append(100000, ']');
  for (const std::string& text : {std::string(R"({"level":2,"actions":[]})"),
                                  std::string(R"({"target":"x"})"), std::string(R"({"level":{"a":1}})"),
                                  std::string(R"({"level":[[1]]})"), R"({"level":)" + deep + "}"}) {
    const Json json = *parseJson(text, "x");
    const Result<std::string> settings = settingsFrom(*JsonObject::of(json, "x"), {});
    ASSERT_FALSE(settings) << text.substr(0, 40);
    EXPECT_EQ(settings.error().code, ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace ordo::recipe
