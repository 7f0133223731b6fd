#include "env/advisor_words.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::env {
namespace {

using Words = std::vector<std::string>;

TEST(AdvisorWordsTest, StandBetweenCommasAndSpaces) {
  EXPECT_EQ(*advisorWords(""), Words{});
  EXPECT_EQ(*advisorWords(" ,,\t"), Words{});
  EXPECT_EQ(*advisorWords("inline-size, race,log=a/b"), (Words{"inline-size", "race", "log=a/b"}));
}

TEST(AdvisorWordsTest, AFileHasWordsOnLinesAndComments) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "words").string();
  ASSERT_TRUE(writeFile(file, "# all of them, @too\nusual\nrandom:3 # seeded\n\nrace"));
  EXPECT_EQ(*advisorWords("first,@" + file + ",last"), (Words{"first", "usual", "random:3", "race", "last"}));
}

TEST(AdvisorWordsTest, AFileNamesNoOther) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "words").string();
  ASSERT_TRUE(writeFile(file, "usual\n@more\n"));
  const auto words = advisorWords("@" + file);
  ASSERT_FALSE(words);
  EXPECT_EQ(words.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(words.error().message.find("@more"), std::string::npos);
  EXPECT_FALSE(advisorWords("@" + (dir.path() / "none").string()));
}

}  // namespace
}  // namespace ordo::env
