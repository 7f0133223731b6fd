#include "search/evaluation/lane.h"

#include <gtest/gtest.h>

#include <string>

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

// An action that is heavy by its text and does what 80 times "dec" does.
std::string heavyAction() {
  std::string text = "heavy=dec";
  for (int i = 1; i < 80; ++i) text += ",dec";
  return text;
}

TEST(LaneTest, BeforeAHeavyActionTheProgramCountsAndNotItsHistory) {
  fakes::ToyBackend backend;
  Lane lane = openLane(backend, fakes::toySpec(1000, {"noop", "dec", heavyAction(), "inc"}), 8);
  EXPECT_TRUE(replay(lane, {1, 2, 1}).took_snapshot) << "at first sight, because it is heavy";
  // Another beginning, the same program before the heavy action: that is not applied again.
  const Replay other = replay(lane, {0, 1, 0, 2, 3});
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(other.from_snapshot);
  EXPECT_EQ(other.passes, 4u) << "noop dec noop, then inc behind the snapshot";
  Lane plain = openLane(backend, lane.spec(), 0);
  EXPECT_EQ(*other.session->stateHash(), *replay(plain, {0, 1, 0, 2, 3}, true).session->stateHash());
}

TEST(LaneTest, AReplayEndsWhereTheRestIsKnown) {
  fakes::ToyBackend backend;
  Lane lane = openLane(backend, fakes::toySpec(1000, {"noop", "dec", heavyAction()}), 8);
  const Hash128 whole = replay(lane, {1, 2}).keys.back();
  const Sequence other{0, 1, 2};
  const auto known = [&](std::span<const Hash128> keys) { return keys.back() == whole; };
  const auto replayed = lane.replay(other, prefixHashes(other), false, known);
  ASSERT_TRUE(replayed.has_value());
  EXPECT_TRUE(replayed->known);
  EXPECT_EQ(replayed->passes, 2u);
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
