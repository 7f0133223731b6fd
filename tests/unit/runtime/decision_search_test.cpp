#include "runtime/decision_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/objective.h"
#include "runtime/calls.h"
#include "runtime/loops.h"
#include "support/files.h"
#include "tests/unit/runtime/program_fixture.h"

namespace ordo::runtime {
namespace {

// One hot loop that the compiler vectorises badly for SSE2, one that is cold, and one that nobody vectorises.
constexpr std::string_view kLoops = R"(
#include <stdio.h>
static signed char a[4096], b[4096];
__attribute__((noinline)) int dot(const signed char* x, const signed char* y, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}
int main(void) {
  unsigned state = 1, total = 0;
  for (int i = 0; i < 4096; i++) a[i] = (signed char)(state = state * 1664525u + 1013904223u);
  for (int i = 0; i < 4096; i++) b[i] = (signed char)(a[i] + i);
  for (int r = 0; r < 4000; r++) total = total * 31 + (unsigned)dot(a, b, 4096 - (r & 7));
  printf("%u\n", total);
  return 0;
})";

// A hot call of a function that is too large to be inlined, because of what it never does, and a cold one.
constexpr std::string_view kCalls = R"(
#include <stdio.h>
#define SAY printf("%u %u %u\n", x, y, x - y);
#define MUCH SAY SAY SAY SAY SAY SAY SAY SAY
unsigned never = 4000000000u;
static unsigned step(unsigned x, unsigned y) {
  if (y == never) { MUCH MUCH MUCH }
  return x + (y ^ 5);
}
int main(int argc, char** argv) {
  unsigned total = step((unsigned)argc, 1);
  for (unsigned i = 0; i < 20000000u; i++) total = step(total, i);
  printf("%u\n", total);
  return argv == NULL;
})";

class DecisionSearchTest : public ProgramFixture {
 protected:
  // A bench for `program`, as C.
  void prepare(std::string_view program) {
    load(program);
    bench_ = std::make_unique<BuiltField>(*engine_, *input_, spec_, 0, std::vector{timing::Input{.exit = 0}},
                                          timing::RigOptions{}, 1, *TempDir::create());
    ASSERT_TRUE(bench_->prepare());
  }
  LoopActions loops() {
    auto added = LoopActions::add(*engine_, *input_, spec_, 0);
    EXPECT_TRUE(added && *added);
    return **std::move(added);
  }
  Result<DecisionRaces> search(const Decisions& decisions, const DecisionSearchOptions& options,
                               std::vector<search::Limit> limits = {}) {
    search::Objective objective = engine::objectiveFor("ir_instructions");
    objective.limits = std::move(limits);
    search::EvaluatorOptions evaluation;
    evaluation.stop = options.stop;
    auto evaluator = search::Evaluator::open(engine_->backend(), spec_, objective, evaluation);
    EXPECT_TRUE(evaluator);
    return searchDecisions(*bench_, **evaluator, decisions, SteadyClock(), options);
  }
  // Of the best on the bench.
  std::vector<std::string> best() const {
    std::vector<std::string> texts;
    for (const env::ActionIndex action : bench_->sequence(0)) texts.push_back(spec_.actions[action].text);
    return texts;
  }

  std::unique_ptr<BuiltField> bench_;
};

TEST_F(DecisionSearchTest, TheHotLoopIsDecided) {
  prepare(kLoops);
  const LoopActions decisions = loops();
  std::vector<std::string> steps;
  ASSERT_TRUE(search(decisions,
                     {.budget_s = 15, .on_step = [&](std::string_view step) { steps.emplace_back(step); }}));
  EXPECT_THAT(steps, testing::Contains(testing::HasSubstr("a race of")));
  // Other widths are twice as fast, which no noise hides.
  ASSERT_GT(bench_->size(), 0u);
  EXPECT_LE(bench_->size(), 3u);
  EXPECT_EQ(bench_->sequence(0).front(), decisions.with({}).front());
  EXPECT_EQ(bench_->sequence(0).back(), decisions.with({}).back());
  EXPECT_THAT(best(), testing::Contains(testing::StartsWith("ordo-loop<0;width=")));
}

TEST_F(DecisionSearchTest, TheHotCallIsDecided) {
  prepare(kCalls);
  const auto decisions = CallActions::add(*engine_, *input_, spec_, 0);
  ASSERT_TRUE(decisions && *decisions);
  ASSERT_TRUE(search(**decisions, {.budget_s = 10}));
  // Inlined the loop takes half of the time.
  ASSERT_GT(bench_->size(), 0u);
  EXPECT_THAT(best(), testing::Contains("ordo-call<1;alwaysinline>"));
  EXPECT_EQ(bench_->sequence(0).back(), 0u);
}

TEST_F(DecisionSearchTest, WhatIsBeyondALimitIsNotBuilt) {
  prepare(kLoops);
  ASSERT_TRUE(search(loops(), {.budget_s = 12}, {{"ir_instructions", 0}}));
  EXPECT_EQ(bench_->size(), 0u);
}

TEST_F(DecisionSearchTest, AnInterruptionDecidesNothing) {
  prepare(kLoops);
  const std::atomic<bool> stop = true;
  ASSERT_TRUE(search(loops(), {.budget_s = 60, .stop = &stop}));
  EXPECT_EQ(bench_->size(), 0u);
}

}  // namespace
}  // namespace ordo::runtime
