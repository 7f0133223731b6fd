#include "app/loop_search.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/tune.h"
#include "support/files.h"
#include "tests/unit/app/engine_fixture.h"

namespace ordo::app {
namespace {

// One hot loop that the compiler vectorises badly for SSE2, one that is cold, and one that nobody vectorises.
constexpr std::string_view kProgram = R"(
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

class LoopSearchTest : public EngineFixture {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(dir_.path() / "dot.c", kProgram));
    Result<Input> input = prepareInput((dir_.path() / "dot.c").string(), {frontend::Level::kO3, false}, {});
    ASSERT_TRUE(input) << input.error().message;
    input_ = *std::move(input);
    spec_ = {input_->program.uri, input_->compiled.bytes, {}, input_->codegenOptions()};
    spec_.actions = {baselineAction(input_->baseline, input_->pipeline)};
    auto loops = LoopActions::add(*engine_, *input_, spec_, 0);
    ASSERT_TRUE(loops && *loops);
    loops_ = **std::move(loops);
    bench_ = std::make_unique<BuiltField>(*engine_, *input_, spec_, 0, std::vector{timing::Input{.exit = 0}},
                                          timing::RigOptions{}, 1, *TempDir::create());
    ASSERT_TRUE(bench_->prepare());
  }
  Result<LoopRaces> search(const LoopSearchOptions& options, std::vector<search::Limit> limits = {}) {
    search::Objective objective = objectiveFor("ir_instructions");
    objective.limits = std::move(limits);
    search::EvaluatorOptions evaluation;
    evaluation.stop = options.stop;
    auto evaluator = search::Evaluator::open(engine_->backend(), spec_, objective, evaluation);
    EXPECT_TRUE(evaluator);
    return searchLoops(*bench_, **evaluator, *loops_, SteadyClock(), options);
  }

  TempDir dir_ = *TempDir::create();
  std::optional<Input> input_;
  env::SessionSpec spec_;
  std::optional<LoopActions> loops_;
  std::unique_ptr<BuiltField> bench_;
};

TEST_F(LoopSearchTest, TheHotLoopIsDecided) {
  std::vector<std::string> steps;
  ASSERT_TRUE(search({.budget_s = 15, .on_step = [&](std::string_view step) { steps.emplace_back(step); }}));
  EXPECT_THAT(steps, testing::Contains(testing::HasSubstr("a race of")));
  // Other widths are twice as fast, which no noise hides.
  ASSERT_GT(bench_->size(), 0u);
  EXPECT_LE(bench_->size(), 3u);
  const search::Sequence& best = bench_->sequence(0);
  EXPECT_EQ(best.front(), loops_->with({}).front());
  EXPECT_EQ(best.back(), loops_->with({}).back());
  EXPECT_TRUE(std::ranges::any_of(best, [&](env::ActionIndex action) {
    return spec_.actions[action].text.starts_with("ordo-loop<0;width=");
  })) << fmt::format("{}", fmt::join(best, " "));
}

TEST_F(LoopSearchTest, WhatIsBeyondALimitIsNotBuilt) {
  ASSERT_TRUE(search({.budget_s = 12}, {{"ir_instructions", 0}}));
  EXPECT_EQ(bench_->size(), 0u);
}

TEST_F(LoopSearchTest, AnInterruptionDecidesNothing) {
  const std::atomic<bool> stop = true;
  ASSERT_TRUE(search({.budget_s = 60, .stop = &stop}));
  EXPECT_EQ(bench_->size(), 0u);
}

}  // namespace
}  // namespace ordo::app
