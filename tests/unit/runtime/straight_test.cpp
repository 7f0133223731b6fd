#include "runtime/straight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/reach.h"
#include "engine/replay.h"
#include "notation/action.h"
#include "runtime/loops.h"
#include "support/files.h"
#include "tests/unit/runtime/program_fixture.h"

namespace ordo::runtime {
namespace {

using testing::ElementsAre;

class StraightActionsTest : public ProgramFixture {
 protected:
  void SetUp() override {
    load(R"(
void add(int* restrict to, const int* restrict from, int n) {
  to[0] += from[0], to[1] += from[1], to[2] += from[2], to[3] += from[3];
  for (int i = 8; i < n; i++) to[i] ^= from[i];
})");
  }
};

TEST_F(StraightActionsTest, ThereIsOneDecision) {
  const auto straight = StraightActions::add(spec_, 0);
  ASSERT_TRUE(straight);
  const std::vector<Decision> ways = straight->ways(0);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_THAT(names(straight->with({})), ElementsAre("clang-O3"));
  EXPECT_EQ(straight->decided(straight->with({})), std::nullopt);
  const search::Sequence without = straight->with(ways);
  EXPECT_THAT(names(without), ElementsAre("clang-O3-before-loops", "clang-O3-from-loops-no-slp"));
  EXPECT_EQ(straight->decided(without), without.back());
}

TEST_F(StraightActionsTest, LoopsAreDecidedBesideIt) {
  const auto straight = StraightActions::add(spec_, 0);
  const search::Sequence without = straight->with(straight->ways(0));
  const auto loops = LoopActions::add(*engine_, *input_, spec_, 0, {}, straight->decided(without));
  ASSERT_TRUE(loops && *loops);
  EXPECT_EQ((*loops)->with({}), without);
  EXPECT_THAT(names((*loops)->with({(*loops)->unrolled(0, 2)})),
              ElementsAre("clang-O3-before-loops", "ordo-loop<0;unroll=2>", "clang-O3-from-loops-no-slp"));
}

TEST_F(StraightActionsTest, StockOptWithThePluginMakesTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "stock opt, which has no sanitizer, cannot load a plugin that needs one";
#endif
  const auto straight = StraightActions::add(spec_, 0);
  const Hash128 hash = hashOf(straight->with(straight->ways(0)));
  const Result<engine::State> whole = engine::reach(*engine_, *input_, spec_.program, {spec_.actions[0]});
  ASSERT_TRUE(whole);
  EXPECT_NE(whole->hash, hash);
}

TEST_F(StraightActionsTest, APipelineThatStaysClosedHasNone) {
  spec_.actions = {{"sroa", notation::kPipeline, "function(sroa)"}};
  EXPECT_FALSE(StraightActions::add(spec_, 0));
  EXPECT_EQ(spec_.actions.size(), 1u);
}

}  // namespace
}  // namespace ordo::runtime
