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

  const auto walked = walk(**engine, *input, input->compiled.bytes, {sroa});
  ASSERT_TRUE(walked) << walked.error().message;
  EXPECT_TRUE((*walked)->observe("bitcode"));
  const Result<State> at = halfway(**engine, *input, input->compiled.bytes, {sroa});
  ASSERT_TRUE(at) << at.error().message;
  EXPECT_EQ(at->hash, *(*walked)->stateHash());
  // Whoever compiles it has the call inlined first, and is told so.
  const Result<State> compiled = reach(**engine, *input, input->compiled.bytes, {sroa});
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_EQ(compiled->finish.size(), 1U);
  EXPECT_EQ(compiled->finish[0].text, "always-inline");
  EXPECT_NE(compiled->hash, at->hash);
  const Result<State> asked = reach(**engine, *input, input->compiled.bytes, {sroa, inlined});
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_TRUE(asked->finish.empty());
  EXPECT_EQ(asked->hash, compiled->hash);
  EXPECT_EQ(finished(**engine, *input, input->compiled.bytes, {sroa})->size(), 2U);
  EXPECT_EQ(finished(**engine, *input, input->compiled.bytes, {sroa, inlined})->size(), 2U);
  EXPECT_EQ(*compilable(**engine, "a.c", at->bitcode), compiled->bitcode);
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
