#include "support/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace ordo {
namespace {

TEST(TeamTest, EveryMemberWorksOnceInEachRound) {
  Team team(4);
  std::atomic<int> sum = 0;
  for (int round = 0; round < 100; ++round) team.run([&](unsigned member) { sum += 1 << (8 * member); });
  EXPECT_EQ(sum.load(), 100 * 0x01010101);
}

TEST(TeamTest, ATeamOfOneWorksOnTheCallersThread) {
  Team team(1);
  std::thread::id worker;
  team.run([&](unsigned) { worker = std::this_thread::get_id(); });
  EXPECT_EQ(worker, std::this_thread::get_id());
}

TEST(TeamTest, AMemberKeepsItsThread) {
  Team team(3);
  std::vector<std::set<std::thread::id>> threads(3);
  for (int round = 0; round < 20; ++round) {
    team.run([&](unsigned member) { threads[member].insert(std::this_thread::get_id()); });
  }
  for (const auto& ids : threads) EXPECT_EQ(ids.size(), 1u);
}

}  // namespace
}  // namespace ordo
