#include "spaces/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spaces/space.h"
#include "support/files.h"

namespace ordo::spaces {
namespace {

using testing::ElementsAre;

std::vector<env::Action> pipelines(const std::vector<std::string>& names) {
  std::vector<env::Action> actions;
  for (const std::string& name : names) {
    actions.push_back({name, "", name});
  }
  return actions;
}

TEST(GroupsTest, APassAndItsVariantsAreOneGroup) {
  const auto groups = groupActions(pipelines({"gvn", "licm<no-allowspeculation>", "gvn<no-pre>", "dce"}));
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].type, "gvn");
  EXPECT_THAT(groups[0].actions, ElementsAre(0, 2));
  EXPECT_THAT(groups[0].parameters, ElementsAre("", "no-pre"));
  EXPECT_EQ(groups[1].type, "licm");
  EXPECT_THAT(groups[1].parameters, ElementsAre("no-allowspeculation"));
  EXPECT_EQ(groups[2].type, "dce");
  EXPECT_THAT(groups[2].actions, ElementsAre(3));
}

TEST(GroupsTest, AnAttributeIsAddedOrRemoved) {
  const auto groups = groupActions(pipelines({"+minsize", "minsize", "-minsize"}));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].type, "minsize");
  EXPECT_THAT(groups[0].actions, ElementsAre(0, 2));
  EXPECT_THAT(groups[0].parameters, ElementsAre("+", "-"));
  EXPECT_THAT(groups[1].actions, ElementsAre(1)) << "a pass of that name is another thing";
}

TEST(GroupsTest, WhatHasNoParametersIsByItself) {
  const auto groups =
      groupActions(pipelines({"loop(guard-widening)", "guard-widening", "clang-Oz", "clang-O1"}));
  EXPECT_EQ(groups.size(), 4u);
}

TEST(GroupsTest, NoActionsAreNoGroups) { EXPECT_TRUE(groupActions({}).empty()); }

TEST(GroupsTest, EveryActionOfEverySpaceIsInOneGroup) {
  const std::filesystem::path data = std::filesystem::path(ORDO_SOURCE_DIR) / "data";
  for (const std::string& name : listSpaces(data)) {
    const auto names = parseSpace(*readFile(data / "spaces" / (name + ".txt")));
    ASSERT_TRUE(names) << names.error().message;
    std::set<env::ActionIndex> seen;
    for (const ActionGroup& group : groupActions(pipelines(*names))) {
      EXPECT_EQ(group.actions.size(), group.parameters.size());
      for (const env::ActionIndex action : group.actions) EXPECT_TRUE(seen.insert(action).second);
      EXPECT_EQ(std::set(group.parameters.begin(), group.parameters.end()).size(), group.actions.size());
    }
    EXPECT_EQ(seen.size(), names->size()) << name;
  }
}

}  // namespace
}  // namespace ordo::spaces
