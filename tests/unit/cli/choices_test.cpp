#include "cli/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "env/choices.h"

namespace ordo::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLong =
    "-minsize,simplifycfg<hoist-common-insts;sink-common-insts;no-keep-loops>,gvn-hoist,"
    "function-simplification<O1>,load-store-vectorizer";

recipe::Recipe sample() {
  recipe::Recipe recipe;
  recipe.objective = "code_bytes";
  recipe.actions = {{"sroa", "pipeline", "function(sroa)"},
                    env::choose({{"", "dce", kLong}, {{"main", 1}, {"_ZN1a1bEi", 2}, {"unknown", 1}}})};
  recipe.functions = {{"_ZN1a1bEi", 1234}, {"main", 5}, {"gone", 99}};
  return recipe;
}

TEST(ChoicesTest, ShowsWhoChoseWhatMostFirst) {
  const std::string text = choicesText(sample(), 20);
  EXPECT_THAT(text, HasSubstr("Pass 2 gives 3 functions a sequence of their own"));
  const std::size_t first = text.find("     1 234         2  _ZN1a1bEi  a::b(int)\n");
  const std::size_t second = text.find("         5         1  main\n");
  const std::size_t last = text.find("         ?         1  unknown\n");
  EXPECT_LT(first, second);
  EXPECT_LT(second, last);
  EXPECT_NE(last, std::string::npos) << text;
  EXPECT_THAT(text, AllOf(HasSubstr("         1  dce\n"), HasSubstr("         2  -minsize,simplifycfg")));
  EXPECT_THAT(text, Not(HasSubstr("gone"))) << "the action knows nothing of it";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(ChoicesTest, OfManyFunctionsOnlyTheFirstAreNamed) {
  EXPECT_THAT(choicesText(sample(), 1), AllOf(HasSubstr("2 more\n"), Not(HasSubstr("main"))));
  EXPECT_EQ(choicesInShort(sample()), "3 have a sequence of their own: a::b(int) 1 234, main 5, unknown");
}

TEST(ChoicesTest, WhatOthersGetIsSaidIfItIsAnything) {
  recipe::Recipe recipe = sample();
  recipe.actions = {env::choose({{"sroa", ""}, {{"main", 1}}})};
  EXPECT_THAT(choicesText(recipe, 20),
              AllOf(HasSubstr("gives 1 function a sequence"), HasSubstr("(all others)  sroa\n"),
                    EndsWith("         1  (none)\n")));
}

TEST(ChoicesTest, AreNothingWhereNoneAre) {
  recipe::Recipe recipe = sample();
  recipe.actions.pop_back();
  EXPECT_EQ(choicesText(recipe, 20), "");
  EXPECT_EQ(choicesInShort(recipe), "");
  EXPECT_TRUE(choicesJson(recipe).empty());
  EXPECT_EQ(shownName(recipe.actions[0]), "sroa");
}

TEST(ChoicesTest, HaveANameThatSaysHowMany) {
  const env::Action action = sample().actions[1];
  EXPECT_EQ(shownName(action), action.name + ": 3 functions have one of 2 sequences");
}

TEST(ChoicesTest, AreJsonInFull) {
  const Json json = choicesJson(sample());
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["action"], 1);
  EXPECT_EQ(json[0]["sequences"][1], "dce");
  EXPECT_EQ(json[0]["functions"][0],
            (Json{{"function", "_ZN1a1bEi"}, {"shown", "a::b(int)"}, {"sequence", 2}, {"saves", 1234.0}}));
  EXPECT_EQ(json[0]["functions"][2]["saves"], nullptr);
}

TEST(ChoicesTest, CommandsThatNameManyFunctionsAreFolded) {
  EXPECT_EQ(foldedCommand("opt-22 '-passes=a b' -force-attribute=f:optnone"),
            "opt-22 '-passes=a b' -force-attribute=f:optnone");
  std::string line = "opt-22 '-passes=forceattrs,function(a b)' -force-attribute=optnone";
  for (int i = 0; i < 500; ++i)
    line += " '-force-remove-attribute=it'\\''s " + std::to_string(i) + ":optnone'";
  line += " a.bc -o b.bc";
  const std::string folded = foldedCommand(line);
  EXPECT_THAT(folded,
              AllOf(HasSubstr("-force-attribute=optnone '-force-remove-attribute=it'\\''s 0:optnone' "),
                    HasSubstr("s 7:optnone' … (492 more) a.bc"), EndsWith(" a.bc -o b.bc")));
}

}  // namespace
}  // namespace ordo::cli
