#include "datasets/generated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/files.h"

namespace ordo::datasets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GeneratedTest, ASeedIsWrittenInOneWay) {
  EXPECT_EQ(*parseSeed("csmith", "0"), 0u);
  EXPECT_EQ(*parseSeed("csmith", "4294967295"), 4294967295u);
  for (const char* text : {"", "01", "-1", "+1", " 1", "1 ", "1.0", "0x1", "4294967296", "one"}) {
    const auto seed = parseSeed("csmith", text);
    ASSERT_FALSE(seed) << text;
    EXPECT_THAT(seed.error().message, HasSubstr("a whole number from 0 to 4294967295"));
  }
}

TEST(GeneratedTest, SeedsAreListedInOrderOfTheirSplit) {
  EXPECT_THAT(*listSeeds("x", "", {.limit = 3}), ElementsAre("x/0", "x/1", "x/2"));
  EXPECT_THAT(*listSeeds("x", "", {.limit = 2, .split = Split::kTest}), ElementsAre("x/9", "x/19"));
  EXPECT_THAT(*listSeeds("x", "", {.limit = 2, .split = Split::kValidation}), ElementsAre("x/8", "x/18"));
  EXPECT_THAT(*listSeeds("x", "9", {}), ElementsAre("x/9"));
  EXPECT_THAT(*listSeeds("x", "9", {.split = Split::kTrain}), ElementsAre());
  const std::vector<std::string> sample =
      *listSeeds("x", "", {.limit = 100, .seed = 1, .split = Split::kTrain});
  for (const std::string& uri : sample)
    EXPECT_EQ(splitOfSeed(*parseSeed("x", uri.substr(2))), Split::kTrain) << uri;
}

TEST(GeneratedTest, AFileIsMadeOnce) {
  const TempDir dir = *TempDir::create();
  ::setenv("ORDO_CACHE", dir.path().c_str(), 1);
  int made = 0;
  const auto make = [&]() -> Result<std::string> {
    ++made;
    return "content";
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*readFile(*cachedFile("a-1.0", "7.c", make)), "content");
  EXPECT_EQ(made, 1);
  const auto failed = cachedFile(
      "a-1.0", "8.c", []() -> Result<std::string> { return fail(ErrorCode::kUnavailable, "no luck"); });
  EXPECT_EQ(failed.error().message, "no luck");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "programs/a-1.0/8.c"));
  ::unsetenv("ORDO_CACHE");
}

TEST(GeneratedTest, AProgramIsNamedAfterItsSeed) {
  const TempDir dir = *TempDir::create();
  ::setenv("ORDO_CACHE", dir.path().c_str(), 1);
  const auto program =
      loadGenerated("a", 18, "1.0", ".c", []() -> Result<std::string> { return "int main() {}"; });
  const auto failed = loadGenerated(
      "a", 19, "1.0", ".c", []() -> Result<std::string> { return fail(ErrorCode::kUnavailable, "no luck"); });
  ::unsetenv("ORDO_CACHE");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->name, "a-18");
  EXPECT_EQ(program->source, dir.path() / "programs/a-1.0/18.c");
  EXPECT_EQ(program->split, Split::kValidation);
  EXPECT_EQ(failed.error().message, "no luck");
}

TEST(GeneratedTest, ACacheThatCannotBeWrittenIsReported) {
  ::setenv("ORDO_CACHE", "/dev/null", 1);
  const auto failed = cachedFile("a", "b", []() -> Result<std::string> { return "content"; });
  ::unsetenv("ORDO_CACHE");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("set ORDO_CACHE to a folder that can be written"));
}

TEST(GeneratedTest, AProgramIsAskedOnce) {
  const TempDir dir = *TempDir::create();
  const std::string log = (dir.path() / "log").string();
  const std::vector<std::string> argv{"sh", "-c", "echo asked >> " + log + "; echo 1.0"};
  EXPECT_EQ(*outputOnce(argv), "1.0\n");
  EXPECT_EQ(*outputOnce(argv), "1.0\n");
  EXPECT_EQ(*readFile(log), "asked\n");
  EXPECT_FALSE(outputOnce({"false"}));
}

}  // namespace
}  // namespace ordo::datasets
