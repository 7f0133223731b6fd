#include "runtime/calls.h"

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

class CallActionsTest : public ProgramFixture {
 protected:
  void prepare(std::string_view program) {
    load(program);
    spec_.actions.push_back({"sroa", notation::kPipeline, "function(sroa)"});
  }
  CallActions add(search::Sequence prefix = {}) {
    auto added = CallActions::add(*engine_, *input_, spec_, 0, std::move(prefix));
    EXPECT_TRUE(added && *added);
    return **std::move(added);
  }
};

// Call 1 is in a loop in a loop, 2 in one.
constexpr std::string_view kProgram = R"(
static int leaf(int x) { return x * 3 + 1; }
int f(int n) {
  int sum = leaf(n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) sum += leaf(i ^ j);
    sum ^= leaf(i);
  }
  return sum;
})";

TEST_F(CallActionsTest, EachCallHasItsDecisions) {
  prepare(kProgram);
  const CallActions calls = add({1});
  EXPECT_THAT(calls.parts(), ElementsAre(1, 2, 0));  // the deepest first
  EXPECT_EQ(spec_.actions.size(), 2u + 2 * 3);
  const std::vector<Decision> of_second = calls.ways(2);
  ASSERT_EQ(of_second.size(), 2u);
  EXPECT_EQ(spec_.actions[of_second[0].action].text, "ordo-call<2;noinline>");
  EXPECT_EQ(spec_.actions[of_second[1].action].text, "ordo-call<2;alwaysinline>");
  // The later decision about a call counts.
  EXPECT_THAT(names(calls.with({of_second[0], calls.ways(0)[0], of_second[1]})),
              ElementsAre("sroa", "ordo-call<0;noinline>", "ordo-call<2;alwaysinline>", "clang-O3"));
  EXPECT_THAT(names(calls.with({})), ElementsAre("sroa", "clang-O3"));
}

TEST_F(CallActionsTest, StockOptWithThePluginMakesTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "stock opt, which has no sanitizer, cannot load a plugin that needs one";
#endif
  prepare(kProgram);
  const CallActions calls = add();
  const auto hash = [&](const std::vector<Decision>& decisions) { return hashOf(calls.with(decisions)); };
  const Hash128 without = hash({});
  EXPECT_NE(hash({calls.ways(1)[0]}), without);
  EXPECT_NE(hash({calls.ways(1)[0], calls.ways(0)[0]}), hash({calls.ways(1)[0]}));
}

TEST_F(CallActionsTest, AProgramWithoutCallsHasNone) {
  prepare("int f(int x) { return x + 1; }");
  const auto added = CallActions::add(*engine_, *input_, spec_, 0);
  ASSERT_TRUE(added);
  EXPECT_FALSE(*added);
  EXPECT_EQ(spec_.actions.size(), 2u);
}

// As C++ programs have of std::allocator: until it is inlined, nothing defines the callee.
TEST_F(CallActionsTest, WhatGoesBeforeThemMayLeaveCallsThatMustBeInlined) {
  prepare(R"(
__attribute__((gnu_inline, always_inline)) extern inline int must(int x) { return x * 5; }
static int leaf(int x) { return must(x) + 1; }
int f(int n) {
  for (int i = 0; i < 9; i++) n = leaf(n);
  return n;
})");
  const CallActions calls = add({1});
  EXPECT_FALSE(calls.parts().empty());
  EXPECT_TRUE(engine::reach(*engine_, *input_, spec_.program, named(calls.with({}))));
}

TEST_F(CallActionsTest, OfManyCallsTheFirstOfTheDeepestAreTaken) {
  std::string program = "static int leaf(int x) { return x + 1; }\nint f(int x) {\n";
  for (int i = 0; i < 60; ++i) program += "  x ^= leaf(x);\n";
  prepare(program + "  while (x < 9) x = leaf(x);\n  return x;\n}");
  const CallActions calls = add();
  EXPECT_EQ(calls.parts().size(), kMostCalls);
  EXPECT_EQ(calls.parts().front(), 60u);
  EXPECT_EQ(calls.parts()[1], 0u);
}

}  // namespace
}  // namespace ordo::runtime
