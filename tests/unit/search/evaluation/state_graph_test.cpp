#include "search/evaluation/state_graph.h"

#include <gtest/gtest.h>

namespace ordo::search {
namespace {

std::shared_ptr<const SeenState> state(std::uint64_t number) {
  const auto bytes = std::as_bytes(std::span(&number, 1));
  env::StepReport report;
  report.hash = {number, 0};
  report.observations.push_back({DType::kInt64, {1}, bytes});
  return std::make_shared<SeenState>(report);
}

TEST(StateGraphTest, AStateKeepsWhatWasObserved) {
  const auto seen = state(7);  // the report is gone by now
  EXPECT_EQ(seen->hash(), (Hash128{7, 0}));
  ASSERT_EQ(seen->observations().size(), 1u);
  EXPECT_EQ(seen->observations()[0].int64s()[0], 7);
}

TEST(StateGraphTest, FollowsWhatItWasToldOf) {
  StateGraph graph;
  const Hash128 sequence{100, 0};
  EXPECT_EQ(graph.at(sequence), nullptr);
  const auto one = graph.place(sequence, state(1));
  EXPECT_EQ(graph.at(sequence), one);
  EXPECT_FALSE(graph.follow(one->hash(), 3));
  const auto two = graph.link(one->hash(), 3, state(2));
  EXPECT_EQ(graph.follow(one->hash(), 3)->to, two);
  EXPECT_FALSE(graph.follow(two->hash(), 3));
  EXPECT_EQ(graph.link(two->hash(), 4, state(1)), one) << "the same program is the same state";
}

TEST(StateGraphTest, DeadActionsChangeNothingOrFail) {
  StateGraph graph;
  const auto one = graph.place({100, 0}, state(1));
  graph.link(one->hash(), 3, state(1));
  graph.link(one->hash(), 5, state(2));
  graph.fail(one->hash(), 4, {env::StepStatus::kCrashed, "why"});
  graph.fail(one->hash(), 4, {env::StepStatus::kCrashed, "why"});
  EXPECT_EQ(graph.dead(one->hash()), (std::vector<env::ActionIndex>{3, 4}));
  EXPECT_TRUE(graph.dead({9, 9}).empty());
  const auto failing = graph.follow(one->hash(), 4);
  ASSERT_TRUE(failing);
  EXPECT_EQ(failing->to, nullptr);
  EXPECT_EQ(failing->failure.status, env::StepStatus::kCrashed);
  EXPECT_EQ(failing->failure.detail, "why");
}

}  // namespace
}  // namespace ordo::search
