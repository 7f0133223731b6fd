#include "agent_method/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::agent_method {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

TEST(SettingsTest, WhatIsUsualIsNotInTheName) {
  EXPECT_EQ(parse("agent")->model, "shipped");
  const Settings settings =
      *parse("agent:random:1  search=none without=suggest_actions+get_features temperature=0.70 replies=8");
  EXPECT_EQ(settings.model, "random:1");
  EXPECT_EQ(settings.replies, 8);
  EXPECT_EQ(settings.search, Search::kNone);
  EXPECT_EQ(*nameOf(settings), "agent:random:1 replies=8 without=get_features+suggest_actions search=none");
  // What a name says is the same method.
  EXPECT_EQ(*nameOf(*parse(*nameOf(settings))), *nameOf(settings));
}

TEST(SettingsTest, AModelIsKnownByItsFiles) {
  const TempDir dir = *TempDir::create();
  const std::string text = "agent:hf:" + dir.path().string();
  ASSERT_TRUE(writeFile(dir.path() / "model.safetensors", "one"));
  const std::string first = *nameOf(*parse(text));
  EXPECT_THAT(first, MatchesRegex("agent:hf:/.*@[0-9a-f]{8}"));
  ASSERT_TRUE(writeFile(dir.path() / "model.safetensors", "two"));
  EXPECT_NE(*nameOf(*parse(text)), first);
  EXPECT_EQ(nameOf(*parse("agent:gguf:/proc/nonexistent/file")).error().code, ErrorCode::kNotFound);
}

TEST(SettingsTest, WhatIsMisspeltIsSaidWithWhatThereIs) {
  const auto problem = [](const char* text) { return parse(text).error().message; };
  EXPECT_THAT(problem("agent:shipped heat=1"), HasSubstr("temperature, penalty"));
  EXPECT_THAT(problem("agent:shipped replies"), HasSubstr("SETTING=VALUE"));
  EXPECT_THAT(problem("agent:shipped replies=0"), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(problem("agent:shipped replies=8x"), HasSubstr("no number"));
  EXPECT_THAT(problem("agent:shipped temperature=nan"), HasSubstr("no number"));
  EXPECT_THAT(problem("agent:shipped search=often"), HasSubstr("on-demand, none, always, prompt"));
  EXPECT_THAT(problem("agent:shipped feedback=some"), HasSubstr("true or shuffled"));
  EXPECT_THAT(problem("agent:shipped without=sugest_actions"), HasSubstr("did you mean 'suggest_actions'"));
  EXPECT_THAT(problem("agent:shipped without=submit_sequence"), HasSubstr("can do without"));
}

}  // namespace
}  // namespace ordo::agent_method
