#include "engine/reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

TEST(ReachTest, AStateIsWhatItsActionsMakeOfAProgram) {
  const auto engine = Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine) << engine.error().message;
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "int f(int x) { int y = x; return y + y; }\n"));
  const Result<Input> input = prepareInput((dir.path() / "a.c").string(), {}, {});
  ASSERT_TRUE(input) << input.error().message;
  const env::Action sroa{"sroa", notation::kPipeline, "function(sroa)"};

  const Result<State> start = reach(**engine, *input, input->compiled.bytes, {});
  const Result<State> after = reach(**engine, *input, input->compiled.bytes, {sroa});
  ASSERT_TRUE(start && after);
  EXPECT_NE(start->hash, after->hash);
  EXPECT_LT(measured(*after, "ir_instructions").value(), measured(*start, "ir_instructions").value());
  EXPECT_FALSE(measured(*after, "no such metric"));
  // What is left is a program to go on from.
  const Result<State> again = reach(**engine, *input, after->bitcode, {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->hash, after->hash);
}

TEST(ReachTest, HalfwayThereNeedNotBeAnythingToCompile) {
  const auto engine = Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine) << engine.error().message;
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(
      writeFile(dir.path() / "a.c",
                "__attribute__((gnu_inline, always_inline)) extern inline int g(int x) { return x; }\n"
                "int f(int x) { return g(x); }\n"));
  const Result<Input> input = prepareInput((dir.path() / "a.c").string(), {}, {});
  ASSERT_TRUE(input) << input.error().message;
  const env::Action sroa{"sroa", notation::kPipeline, "function(sroa)"};
  const env::Action inlined{"always-inline", notation::kPipeline, "always-inline"};

  const auto halfway = walk(**engine, *input, input->compiled.bytes, {sroa});
  ASSERT_TRUE(halfway) << halfway.error().message;
  EXPECT_TRUE((*halfway)->observe("bitcode"));
  const Result<State> compiled = reach(**engine, *input, input->compiled.bytes, {sroa});
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error().message, testing::HasSubstr("nothing defines it"));
  EXPECT_TRUE(reach(**engine, *input, input->compiled.bytes, {sroa, inlined}));
}

TEST(ReachTest, AnActionThatFailsIsOurs) {
  const auto engine = Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine) << engine.error().message;
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "int f(int x) { return x; }\n"));
  const Result<Input> input = prepareInput((dir.path() / "a.c").string(), {}, {});
  ASSERT_TRUE(input) << input.error().message;
  const Result<State> state =
      reach(**engine, *input, input->compiled.bytes, {{"no-such-pass", notation::kPipeline, "no-such-pass"}});
  EXPECT_FALSE(state);
}

}  // namespace
}  // namespace ordo::engine
