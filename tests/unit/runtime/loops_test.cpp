#include "runtime/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/reach.h"
#include "engine/replay.h"
#include "notation/action.h"
#include "support/files.h"
#include "tests/unit/runtime/program_fixture.h"

namespace ordo::runtime {
namespace {

using testing::ElementsAre;

TEST(OpenAtLoopsTest, AnAliasIsMadeItsHalves) {
  const auto parts = openAtLoops("function(declare-to-assign),default<O3>");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->before,
            "function(declare-to-assign),annotation2metadata,forceattrs,ordo-simplification<O3>");
  EXPECT_EQ(parts->after, "ordo-optimization<O3>,function(annotation-remarks)");
  EXPECT_EQ(parts->after_without_slp, "ordo-optimization<O3;no-slp>,function(annotation-remarks)");
}

TEST(OpenAtLoopsTest, OtherTextStaysClosed) {
  for (const char* text : {"", "default", "function(a,b)", "a,loop-vectorize"})
    EXPECT_FALSE(openAtLoops(text)) << text;
}

class LoopActionsTest : public ProgramFixture {
 protected:
  void SetUp() override {
    load(R"(
void first(short* restrict to, const short* restrict from, int n) {
  for (int i = 0; i < n; i++) to[i] = (short)(to[i] + 3 * from[i]);
}
int nested(const signed char* a, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) total += a[j] * a[i];
  return total;
})");
  }
};

TEST_F(LoopActionsTest, EachLoopOfTheProgramHasItsDecisions) {
  const auto added = LoopActions::add(*engine_, *input_, spec_, 0);
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_TRUE(*added);
  const LoopActions& loops = **added;
  EXPECT_THAT(loops.parts(), ElementsAre(1, 0));
  EXPECT_EQ(spec_.actions.size(), 3u + 2 * 29);
  EXPECT_EQ(loops.ways(1).size(), 29u);
  EXPECT_EQ(spec_.actions[loops.ways(1).front().action].text, "ordo-loop<1;width=1;interleave=1>");
  EXPECT_EQ(loops.ways(1).back().action, loops.unrolled(1, 16).action);
  EXPECT_EQ(spec_.actions[loops.unrolled(1, 16).action].text, "ordo-loop<1;unroll=16>");
  EXPECT_EQ(spec_.actions[loops.unrolled(0, 1).action].text, "ordo-loop<0;unroll=1>");
  const Decision decision = loops.decision(1, 16, 2);
  EXPECT_EQ(spec_.actions[decision.action].text, "ordo-loop<1;width=16;interleave=2>");
  // The later decision about a loop counts.
  const std::vector<env::Action> actions =
      named(loops.with({loops.decision(0, 2, 8), loops.decision(1, 1, 1), decision}));
  std::vector<std::string> names;
  for (const env::Action& action : actions) names.push_back(action.name);
  EXPECT_THAT(names, ElementsAre("clang-O3-before-loops", "ordo-loop<0;width=2;interleave=8>",
                                 "ordo-loop<1;width=16;interleave=2>", "clang-O3-from-loops"));
}

TEST_F(LoopActionsTest, StockOptWithThePluginMakesTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "stock opt, which has no sanitizer, cannot load a plugin that needs one";
#endif
  const auto added = LoopActions::add(*engine_, *input_, spec_, 0);
  ASSERT_TRUE(added && *added);
  const auto hash = [&](const std::vector<Decision>& decisions) { return hashOf((*added)->with(decisions)); };
  const Hash128 without = hash({});
  EXPECT_NE(hash({(*added)->decision(1, 16, 2)}), without);
  EXPECT_NE(hash({(*added)->decision(0, 1, 1)}), without);
  EXPECT_NE(hash({(*added)->unrolled(1, 8)}), without);
  // Undecided, the parts are what the whole is.
  const Result<engine::State> whole = engine::reach(*engine_, *input_, spec_.program, {spec_.actions[0]});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->hash, without);
}

TEST_F(LoopActionsTest, APipelineThatStaysClosedHasNone) {
  spec_.actions = {{"sroa", notation::kPipeline, "function(sroa)"}};
  const auto added = LoopActions::add(*engine_, *input_, spec_, 0);
  ASSERT_TRUE(added);
  EXPECT_FALSE(*added);
  EXPECT_EQ(spec_.actions.size(), 1u);
}

}  // namespace
}  // namespace ordo::runtime
