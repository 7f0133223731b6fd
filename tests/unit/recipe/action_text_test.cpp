#include "recipe/action_text.h"

#include <gtest/gtest.h>

namespace ordo::recipe {
namespace {

TEST(ActionTextTest, ActionsAreReadAsTheyWereWritten) {
  const Json json = {{"a", toJson({{"n", env::ActionKind::kAttribute, "+minsize"},
                                   {"c", env::ActionKind::kCodegen, "-disable-lsr"}})}};
  const auto actions = actionsFrom(*JsonObject::of(json, "x"), "a");
  ASSERT_EQ(actions->size(), 2u);
  EXPECT_EQ(actions->back().kind, env::ActionKind::kCodegen);
  EXPECT_EQ(actions->front().name, "n");
  EXPECT_EQ(actions->front().kind, env::ActionKind::kAttribute);
  EXPECT_EQ(actions->front().text, "+minsize");
}

TEST(ActionTextTest, AnUnknownKindOrFieldIsRefused) {
  for (const char* text : {R"({"a": [{"name": "n", "kind": "pass", "text": "t"}]})",
                           R"({"a": [{"name": "n", "kind": "pipeline", "text": "t", "x": 1}]})",
                           R"({"a": [{"name": "n", "kind": "pipeline"}]})", R"({"a": 1})", "{}"}) {
    const Json json = *parseJson(text, "x");
    const auto actions = actionsFrom(*JsonObject::of(json, "x"), "a");
    ASSERT_FALSE(actions) << text;
    EXPECT_EQ(actions.error().code, ErrorCode::kCorrupt);
  }
}

TEST(ActionTextTest, ALevelBeyondThreeIsRefused) {
  Json json = toJson(env::CodegenOptions{});
  EXPECT_TRUE(codegenFrom(*JsonObject::of(json, "x")));
  json["codegen_level"] = 4;
  EXPECT_EQ(codegenFrom(*JsonObject::of(json, "x")).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::recipe
