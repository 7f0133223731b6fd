#include "policy/schema.h"

#include <gmock/gmock.h>

#include <numeric>

#include "policy/encoder.h"

namespace ordo::policy {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kSchema = "a\t1\t2\tlog1p(x)\na.b\t1\t1\tx\nab\t2\t1\tx\nc.d\t1\t2\tx\n";

std::vector<std::uint8_t> features(const std::vector<std::string>& names) {
  return featuresOf(kSchema, names).value();
}

TEST(SchemaTest, GroupsAreItsLines) {
  const Encoder encoder(3);
  const std::vector<FeatureGroup> groups = groupsOf(encoder.schema());
  EXPECT_EQ(groups.front().name, "autophase");
  EXPECT_EQ(groups.front().width, 56u);
  std::size_t width = 0;
  for (const FeatureGroup& group : groups) width += group.width;
  EXPECT_EQ(width, encoder.width());
}

TEST(SchemaTest, AGroupIsNamedInFullOrByWhatStandsBeforeADot) {
  EXPECT_THAT(features({"a"}), ElementsAre(1, 1, 1, 0, 0, 0));
  EXPECT_THAT(features({"a.b"}), ElementsAre(0, 0, 1, 0, 0, 0));
  EXPECT_THAT(features({"ab", "c"}), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(features({}), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(SchemaTest, WhatThereIsIsSaidWhereANameIsUnknown) {
  for (const std::string name : {"b", "c.", "", "a.b.c"}) {
    const auto none = featuresOf(kSchema, std::vector<std::string>{"a", name});
    ASSERT_FALSE(none) << name;
    EXPECT_EQ(none.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(none.error().message, AllOf(HasSubstr("'" + name + "'"), HasSubstr("a, a.b, ab, c.d")));
  }
}

TEST(SchemaTest, ReadsTheEncodersOwn) {
  const Encoder encoder(10);
  const auto history = featuresOf(encoder.schema(), std::vector<std::string>{"history"});
  ASSERT_TRUE(history);
  EXPECT_EQ(history->size(), encoder.width());
  EXPECT_EQ(std::accumulate(history->begin(), history->end(), 0), 30);
}

}  // namespace
}  // namespace ordo::policy
