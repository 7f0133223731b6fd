#include "loop/store/option.h"

#include <gtest/gtest.h>

#include <optional>

#include "loop/store/store.h"
#include "tests/fakes/store_places.h"

namespace ordo::loop {
namespace {

class LoopOptionTest : public fakes::StorePlaces {
 protected:
  void SetUp() override {
    StorePlaces::SetUp();
    if (IsSkipped()) return;
    store_.emplace(*Store::open(place(), true));
    ASSERT_TRUE(store_->lease("me", 0, 1000));
  }

  static Experiment some(const std::string& id = "abc") { return {.id = id, .candidate = "fast"}; }

  std::optional<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(In, LoopOptionTest, testing::Values("Sqlite", "Postgres"), fakes::nameOf);

TEST_P(LoopOptionTest, KeepsWhatCouldHaveBeenChosen) {
  const std::vector<Option> among = {{"fast", 0.25, "[1]"}, {"other", 0.5, "[1]"}, {"plain", 0.25, ""}};
  ASSERT_TRUE(store_->add("me", some(), among));
  EXPECT_EQ(*store_->options("abc"), among);
  EXPECT_TRUE(store_->options("none")->empty());
}

TEST_P(LoopOptionTest, WhatIsNoProbabilityLeavesNothingBehind) {
  for (const std::vector<Option>& wrong :
       {std::vector<Option>{{"fast", 1.5, ""}}, {{"fast", -0.1, ""}}, {{"fast", 0.5, ""}, {"fast", 0.5, ""}}})
    EXPECT_FALSE(store_->add("me", some(), wrong));
  EXPECT_TRUE(store_->experiments()->empty());
}

TEST_P(LoopOptionTest, AStoreOfAnOlderOrdoIsReadAndThenCompleted) {
  const std::string older = place("older.sqlite");
  ASSERT_TRUE(Store::open(older, true));
  ASSERT_TRUE(hands(older)->script("DROP TABLE option; DROP TABLE sequences"));
  EXPECT_TRUE(Store::open(older)->options("abc")->empty());
  Store whole = *Store::open(older, true);
  ASSERT_TRUE(whole.lease("me", 0, 10));
  ASSERT_TRUE(whole.add("me", some(), {{"fast", 1, ""}}));
  EXPECT_EQ(whole.options("abc")->size(), 1u);
}

}  // namespace
}  // namespace ordo::loop
