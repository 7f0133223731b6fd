#include "search/lane.h"

#include <gtest/gtest.h>

#include "support/rng.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

Lane openLane(fakes::ToyBackend& backend, const env::SessionSpec& spec, std::size_t snapshots) {
  auto session = backend.open(spec);
  return Lane(*std::move(session), snapshots);
}

Replay replay(Lane& lane, const Sequence& actions, bool fresh = false) {
  auto result = lane.replay(actions, prefixHashes(actions), fresh);
  return *std::move(result);
}

TEST(LaneTest, EndsWhereAReplayWithoutSnapshotsEnds) {
  fakes::ToyBackend backend;
  std::vector<std::string> names = fakes::kToyActions;
  names.push_back("crash");
  const env::SessionSpec spec = fakes::toySpec(1000, names);
  Lane caching = openLane(backend, spec, 4);
  Lane plain = openLane(backend, spec, 0);
  Rng rng(1);
  Sequence sequence;
  for (int i = 0; i < 500; ++i) {
    // Cuts and extends, so that sequences share prefixes of all lengths.
    sequence.resize(rng.between(0, sequence.size()));
    while (rng.chance(0.8)) sequence.push_back(static_cast<env::ActionIndex>(rng.below(names.size())));
    const Replay a = replay(caching, sequence);
    const Replay b = replay(plain, sequence);
    ASSERT_EQ(a.status, b.status);
    ASSERT_EQ(a.reached, b.reached);
    ASSERT_EQ(*a.session->stateHash(), *b.session->stateHash());
    ASSERT_FALSE(b.from_snapshot);
    ASSERT_EQ(b.passes, b.reached);
  }
}

TEST(LaneTest, AppliesOnlyWhatFollowsASnapshot) {
  fakes::ToyBackend backend;
  Lane lane = openLane(backend, fakes::toySpec(100, {"dec", "inc", "noop"}), 4);
  replay(lane, {0, 0, 0, 0, 0});
  EXPECT_TRUE(replay(lane, {0, 0, 0, 0, 1}).took_snapshot);
  const Replay third = replay(lane, {0, 0, 0, 0, 2});
  EXPECT_TRUE(third.from_snapshot);
  EXPECT_EQ(third.passes, 1u);
  EXPECT_EQ(third.reached, 5u);
}

TEST(LaneTest, AFreshReplayStartsFromTheProgram) {
  fakes::ToyBackend backend;
  Lane lane = openLane(backend, fakes::toySpec(100, {"dec"}), 4);
  for (int i = 0; i < 4; ++i) replay(lane, {0, 0, 0});
  const Replay fresh = replay(lane, {0, 0, 0}, true);
  EXPECT_FALSE(fresh.from_snapshot);
  EXPECT_EQ(fresh.passes, 3u);
}

TEST(LaneTest, TheActionAfterTheLastReachedIsTheCulprit) {
  fakes::ToyBackend backend;
  Lane lane = openLane(backend, fakes::toySpec(100, {"dec", "crash"}), 4);
  for (int i = 0; i < 6; ++i) {
    const Replay failed = replay(lane, {0, 0, 1, 0});
    EXPECT_EQ(failed.status, env::StepStatus::kCrashed);
    EXPECT_EQ(failed.reached, 2u);
  }
  EXPECT_TRUE(replay(lane, {0, 0, 0}).ok());
}

}  // namespace
}  // namespace ordo::search
