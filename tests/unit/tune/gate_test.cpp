#include "tune/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::tune {
namespace {

using testing::HasSubstr;

class GateTest : public engine::EngineFixture {
 protected:
  // A program that prints `prints`, with a test that wants "one".
  engine::Input inputFor(const std::string& prints, bool with_test) {
    EXPECT_TRUE(writeFile(dir_.path() / "prog.c",
                          fmt::format("#include <stdio.h>\nint twice(int x) {{ return 2 * x; }}\n"
                                      "int main(void) {{ puts(\"{}\"); return twice(0); }}\n",
                                      prints)));
    EXPECT_TRUE(writeFile(dir_.path() / "out", "one\n"));
    engine::Input input = *engine::prepareInput((dir_.path() / "prog.c").string(), {}, {});
    if (with_test) {
      input.program.dir = dir_.path();
      input.program.tests.emplace_back();
      input.program.tests.back().name = "only";
      input.program.tests.back().expected = "out";
    }
    return input;
  }

  // Asks about the program as clang makes it, with a recipe whose hash is changed by `off`.
  Gated ask(const engine::Input& input, std::uint64_t off = 0) {
    recipe_ = {};
    recipe_.backend = engine_->info().name;
    recipe_.backend_version = engine_->info().version;
    recipe_.actions = {engine::baselineAction(input.baseline, input.pipeline)};
    const engine::State state = *engine::reach(*engine_, input, input.compiled.bytes, recipe_.actions);
    recipe_.result_hash = state.hash;
    recipe_.result_hash.low += off;
    Result<Gated> gated = Gate(*engine_, input, state).ask(state, recipe_);
    EXPECT_TRUE(gated) << gated.error().message;
    return gated ? std::move(*gated) : Gated{};
  }

  TempDir dir_ = *TempDir::create();
  recipe::Recipe recipe_;
};

TEST_F(GateTest, WhatItsTestsPassIsAResult) {
  const Gated gated = ask(inputFor("one", true));
  EXPECT_EQ(gated.refused, "");
  EXPECT_EQ(gated.verified, Tuned::Checked::kPassed);
  EXPECT_EQ(gated.tested, Tuned::Checked::kPassed);
  EXPECT_FALSE(gated.object.empty());
  EXPECT_EQ(recipe_.tested, "1 test passed");
}

TEST_F(GateTest, WhatFailsThemIsNot) {
  const Gated gated = ask(inputFor("two", true));
  EXPECT_THAT(gated.refused, HasSubstr("1 of 1 tests failed: only: line 1: expected 'one', got 'two'"));
  EXPECT_EQ(gated.tested, Tuned::Checked::kFailed);
}

TEST_F(GateTest, WithoutTestsFunctionsAreCompared) {
  const Gated gated = ask(inputFor("one", false));
  EXPECT_EQ(gated.refused, "");
  EXPECT_EQ(gated.tested, Tuned::Checked::kNotPossible);
  EXPECT_THAT(recipe_.tested, HasSubstr("functions compared"));
}

TEST_F(GateTest, WhereNothingCouldBeCheckedThatIsSaidPlainly) {
  ASSERT_TRUE(writeFile(dir_.path() / "asm.c",
                        "int f(int x) { __asm__ volatile(\"\" : \"+r\"(x)); return x + 1; }\n"));
  const Gated gated = ask(*engine::prepareInput((dir_.path() / "asm.c").string(), {}, {}));
  EXPECT_EQ(gated.refused, "");
  EXPECT_THAT(recipe_.tested, testing::StartsWith("NOT CHECKED but for its IR: no tests are known"));
  EXPECT_THAT(recipe_.tested, HasSubstr("f: "));
}

TEST_F(GateTest, WhatStockOptDoesNotMakeIsRefusedBeforeItIsRun) {
  const Gated gated = ask(inputFor("one", true), 1);
  EXPECT_THAT(gated.refused, HasSubstr("stock opt-22 makes other IR"));
  EXPECT_EQ(gated.verified, Tuned::Checked::kFailed);
  EXPECT_EQ(gated.tested, Tuned::Checked::kNotPossible);
  EXPECT_EQ(recipe_.tested, "");
}

// What lies in flash decides, not what the metrics say of an object.
TEST_F(GateTest, AnImageThatIsLargerThanTheBaselinesIsRefused) {
  ASSERT_TRUE(writeFile(dir_.path() / "image.c",
                        "int f(int x) { int y = x * 3; if (y > 7) y -= x; return y; }\n"
                        "void start(void) { for (volatile int i = 0;; i = f(i)) {} }\n"));
  engine::Input input =
      *engine::prepareInput((dir_.path() / "image.c").string(), {}, {"--target=thumbv7em-none-eabi"});
  input.program.machine = "mps2-an386";
  input.program.ldflags = {"-nostdlib", "-Wl,-e,start"};
  const env::Action oz = engine::baselineAction(input.baseline, input.pipeline);
  const engine::State baseline = *engine::reach(*engine_, input, input.compiled.bytes, {oz});
  const engine::State untouched = *engine::reach(*engine_, input, input.compiled.bytes, {});
  const auto ask = [&](const engine::State& state, std::vector<env::Action> actions,
                       const std::string& limit = "code_bytes=+0%") {
    recipe::Recipe recipe;
    recipe.backend = engine_->info().name;
    recipe.backend_version = engine_->info().version;
    recipe.actions = std::move(actions);
    recipe.result_hash = state.hash;
    return *Gate(*engine_, input, baseline, {limit}).ask(state, recipe);
  };
  const Gated same = ask(baseline, {oz});
  EXPECT_EQ(same.refused, "");
  ASSERT_TRUE(same.image);
  EXPECT_GT(same.image->flash(), 0U);
  EXPECT_THAT(ask(untouched, {}).refused, testing::ContainsRegex("its image takes [0-9]+ bytes of flash"));
  EXPECT_THAT(ask(baseline, {oz}, "code_bytes=-1%").refused, testing::ContainsRegex("[0-9]+ bytes of code"));
  EXPECT_EQ(ask(baseline, {oz}, "code_bytes=1").refused, "") << "that is of an object";
}

}  // namespace
}  // namespace ordo::tune
