#include "env/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace ordo::env {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// Names that nobody writes, and that would be each other if escapes were careless.
Choices odd() {
  return {{"", "a", "-b,c(d<e;f>)", "\"quoted\", \\ and\nline"},
          {{"main", 1},
           {"gr\xc3\xb6\xc3\x9f", 2},
           {"\xff\xfe", 3},
           {"\\FF\\FE", 1},
           {"\x01raw", 2},
           {"new\nline\ttab", 3},
           {"quote\"comma, space", 1},
           {"back\\slash", 2},
           {"back\\5Cslash", 3},
           {"-passes=x", 1}}};
}

TEST(ChoicesTest, AreReadAsTheyWereWritten) {
  for (const Choices& choices : {Choices{}, Choices{{"sroa"}, {}}, odd()}) {
    const Action action = choose(choices);
    const Result<Choices> read = parseChoices(action.text, action.name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, choices) << action.text;
  }
}

TEST(ChoicesTest, TheirActionSaysInItsNameWhatItDoes) {
  const Action action = choose(odd());
  EXPECT_EQ(action.kind, kChoicesKind);
  EXPECT_EQ(partsOf(action.name).type, kChooseType);
  EXPECT_EQ(partsOf(action.name).parameters.size(), 16u);
  EXPECT_EQ(choose(odd()).name, action.name);
  Choices other = odd();
  other.functions["main"] = 2;
  EXPECT_NE(choose(other).name, action.name);
  EXPECT_TRUE(settingOf(action.name).empty()) << "it changes the program";
}

// Whoever reads a recipe sees UTF-8, one line, and names as everybody shows them.
TEST(ChoicesTest, TheirTextIsOneLineOfJson) {
  const std::string text = choose(odd()).text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Result<Json> json = parseJson(text, "choices");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_TRUE((*json)["functions"].contains("\\FF\\FE"));
  EXPECT_TRUE((*json)["functions"].contains("größ"));
}

TEST(ChoicesTest, WhatMakesNoSenseIsRefusedWithItsPlace) {
  const std::pair<std::string, std::string> wrong[] = {
      {"", "place"},
      {"[]", "place"},
      {R"({"sequences": [""]})", "functions"},
      {R"({"functions": {}})", "sequences"},
      {R"({"sequences": [""], "functions": {}, "more": 1})", "more"},
      {R"({"sequences": [], "functions": {}})", "1 to 16 sequences, not 0"},
      {R"({"sequences": "a", "functions": {}})", "sequences"},
      {R"({"sequences": [1], "functions": {}})", "sequences"},
      {R"({"sequences": ["", "a"], "functions": []})", "functions"},
      {R"({"sequences": ["", "a"], "functions": {"f": 0}})",
       "'f' should have the number of a sequence, 1 to 1"},
      {R"({"sequences": ["", "a"], "functions": {"f": 2}})", "'f'"},
      {R"({"sequences": ["", "a"], "functions": {"f": -1}})", "'f'"},
      {R"({"sequences": ["", "a"], "functions": {"f": 1.0}})", "'f'"},
      {R"({"sequences": ["", "a"], "functions": {"f": "1"}})", "'f'"},
      {R"({"sequences": ["", "a"], "functions": {"f": 18446744073709551617}})", "'f'"},
      {R"({"sequences": ["", "a"], "functions": {"": 1}})", "without a name"},
      {R"({"sequences": ["", "a"], "functions": {"f": 1, "f": 1}})", "f"},
      {R"({"sequences": ["", "a"], "functions": {"a\\n": 1, "a\\0A": 1}})", "twice"},
  };
  for (const auto& [text, why] : wrong) {
    const Result<Choices> read = parseChoices(text, "the place");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt) << text;
    EXPECT_THAT(read.error().message, testing::AllOf(HasSubstr("the place"), HasSubstr(why))) << text;
  }
}

TEST(ChoicesTest, MayBeOfSixteenSequencesAndNoMore) {
  Choices choices{std::vector<std::string>(kMostSequences, "a"), {{"f", kMostSequences - 1}}};
  EXPECT_TRUE(parseChoices(choose(choices).text, "most"));
  choices.sequences.emplace_back("a");
  const Result<Choices> read = parseChoices(choose(choices).text, "too many");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("1 to 16 sequences, not 17"));
}

TEST(ChoicesTest, SimplifiedHaveWhatFunctionsHaveInTheirOrder) {
  const Choices simple =
      simplified({{"first", "a", "b", "c", "d"}, {{"f", 3}, {"g", 1}, {"h", 3}, {"i", 4}}});
  EXPECT_THAT(simple.sequences, ElementsAre("first", "c", "a", "d"));
  EXPECT_THAT(simple.functions, ElementsAre(Pair("f", 1), Pair("g", 2), Pair("h", 1), Pair("i", 3)));
  EXPECT_EQ(simplified(simple), simple);
  // The same, written in another order.
  EXPECT_EQ(simplified({{"first", "d", "unused", "a", "c"}, {{"f", 4}, {"g", 3}, {"h", 4}, {"i", 1}}}),
            simple);
}

TEST(ChoicesTest, SimplifiedKeepTheFirstAlsoWhereNobodyHasIt) {
  EXPECT_EQ(simplified({}), Choices{});
  EXPECT_EQ(simplified({{"first", "a"}, {}}), (Choices{{"first"}, {}}));
  // The first is everybody's who is not named.
  EXPECT_EQ(simplified({{"first", "a"}, {{"f", 0}}}), (Choices{{"first"}, {}}));
}

}  // namespace
}  // namespace ordo::env
