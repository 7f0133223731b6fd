#include "harvest/hashes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::harvest {
namespace {

using testing::HasSubstr;
using Kind = HashDifference::Kind;

const Hashes kSome{{"a", {{"x y.c", hashBytes("1")}, {"z.c@2", hashBytes("2")}}},
                   {"b", {{"m.c", hashBytes("3")}}}};

TEST(Hashes, AreReadAsTheyWereWritten) {
  const auto read = parseHashes(writeHashes(kSome), "h");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, kSome);
}

TEST(Hashes, ComeFromRecordsAndPackagesWithoutModulesAreLeftOut) {
  datasets::PackageRecord full, empty;
  full.package = "b";
  full.modules.push_back({"m.c", hashBytes("3"), "c", {}});
  empty.package = "none";
  EXPECT_EQ(hashesOf({full, empty}), (Hashes{{"b", {{"m.c", hashBytes("3")}}}}));
}

TEST(Hashes, ABrokenFileIsReportedWithItsLine) {
  const std::string good = writeHashes(kSome);
  const std::pair<std::string, const char*> broken[] = {
      {" " + hashBytes("1").hex() + " x.c\n", "h:1: a module before"},
      {"a\n xyz\n", "h:2: should be"},
      {"a\n\n", "h:2: an empty line"},
      {"a\nb\na\n", "h:3: the package a again"},
      {good.substr(0, good.size() - 1), "cut short"},
      {"a\n " + hashBytes("1").hex() + " x\n " + hashBytes("1").hex() + " x\n",
       "h:3: a module that is there already"},
      {"a\n " + hashBytes("1").hex() + " \n", "h:2: should be"},
  };
  for (const auto& [text, message] : broken) {
    const auto read = parseHashes(text, "h");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message, HasSubstr(message));
  }
}

TEST(CompareHashes, TellsWhatIsMissingExtraAndDifferent) {
  Hashes other = kSome;
  other["a"].erase("x y.c");
  other["a"]["new.c"] = hashBytes("4");
  other["b"]["m.c"] = hashBytes("5");
  const auto differences = compareHashes(kSome, other, {"a", "b"});
  ASSERT_EQ(differences.size(), 3u);
  EXPECT_EQ(differences[0].uri, "debian/a/new.c");
  EXPECT_EQ(differences[0].kind, Kind::kExtra);
  EXPECT_EQ(differences[1].uri, "debian/a/x y.c");
  EXPECT_EQ(differences[1].kind, Kind::kMissing);
  EXPECT_EQ(differences[2].kind, Kind::kDifferent);
  EXPECT_TRUE(compareHashes(kSome, kSome, {"a", "b"}).empty());
  EXPECT_EQ(compareHashes(kSome, {}, {"b"}).size(), 1u);
}

}  // namespace
}  // namespace ordo::harvest
