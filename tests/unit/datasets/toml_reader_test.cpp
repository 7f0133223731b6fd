#include "datasets/toml_reader.h"

// After toml_reader.h, which must come first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::datasets {
namespace {

using testing::HasSubstr;

TEST(ParseToml, NamesFileAndPlaceOfWhatIsNotToml) {
  const auto table = parseToml("a = 1\nb = = 2\n", "x.toml");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(table.error().message, HasSubstr("x.toml:2:"));
}

TEST(TomlReader, TablesOfAListAreReadAndOthersRefused) {
  const toml::table table = *parseToml("x = 1\n[[entry]]\na = 1\n[[entry]]\na = 2\n", "x.toml");
  const std::filesystem::path path = "x.toml";
  const TomlReader reader(table, path, "the file");
  EXPECT_EQ(reader.tables("entry")->size(), 2u);
  EXPECT_TRUE(reader.tables("absent")->empty());
  EXPECT_THAT(reader.tables("x").error().message, HasSubstr("head each with [[x]]"));
}

TEST(TomlReader, AFlagThatIsAbsentIsFalse) {
  const toml::table table = *parseToml("yes = true\nnumber = 1\n", "x.toml");
  const std::filesystem::path path = "x.toml";
  const TomlReader reader(table, path, "the file");
  EXPECT_TRUE(*reader.flag("yes"));
  EXPECT_FALSE(*reader.flag("absent"));
  EXPECT_THAT(reader.flag("number").error().message, HasSubstr("true or false"));
}

}  // namespace
}  // namespace ordo::datasets
