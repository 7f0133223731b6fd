#include "runtime/timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::runtime {
namespace {

using testing::HasSubstr;

datasets::Program program() {
  datasets::Program program;
  program.dir = "folder";
  datasets::ProgramTest test;
  test.name = "text";
  test.args = {"-k", "a key"};
  test.input = "tests/text.in";
  test.timeout_s = 7;
  program.tests = {test, {}};
  return program;
}

TEST(TimingTest, EachTestIsAnInput) {
  const std::vector<timing::Input> inputs = timingInputs(program());
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].name, "text");
  EXPECT_EQ(inputs[0].args, (std::vector<std::string>{"-k", "a key"}));
  EXPECT_EQ(inputs[0].input, "folder/tests/text.in");
  EXPECT_EQ(inputs[0].timeout_s, 7);
  EXPECT_EQ(inputs[0].exit, 0);
  EXPECT_EQ(inputs[1].input, "");
}

TEST(TimingTest, TimedRunsTakeThePlaceOfTests) {
  datasets::Program program = runtime::program();
  datasets::TimedRun run;
  run.name = "stream";
  run.args = {"-c"};
  run.input = "runs/body.in";
  run.after = "runs/tail.in";
  run.repeat = 9;
  run.expected = {1, 2};
  run.exit = 3;
  run.timeout_s = 4;
  program.runs = {run};
  const std::vector<timing::Input> inputs = timingInputs(program);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].name, "stream");
  EXPECT_EQ(inputs[0].args, std::vector<std::string>{"-c"});
  EXPECT_EQ(inputs[0].before, "");
  EXPECT_EQ(inputs[0].input, "folder/runs/body.in");
  EXPECT_EQ(inputs[0].after, "folder/runs/tail.in");
  EXPECT_EQ(inputs[0].repeat, 9u);
  EXPECT_EQ(inputs[0].output, (Hash128{1, 2}));
  EXPECT_EQ(inputs[0].exit, 3);
  EXPECT_EQ(inputs[0].timeout_s, 4);
}

TEST(TimingTest, ARunnableProgramHasOneAndOthersNone) {
  datasets::Program none;
  EXPECT_TRUE(timingInputs(none).empty());
  none.runnable = true;
  EXPECT_EQ(timingInputs(none).size(), 1u);
}

TEST(TimingTest, EqualProgramsAreNotRun) {
  const TempDir dir = TempDir::create().value();
  const auto a = dir.path() / "a", b = dir.path() / "b";
  // Nobody could run these.
  ASSERT_TRUE(writeFile(a, "the same"));
  ASSERT_TRUE(writeFile(b, "the same"));
  const Result<timing::Comparison> same = timeExecutables(a, b, {timing::Input{}}, {});
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(same->identical);
  EXPECT_EQ(same->verdict(), timing::Verdict::kNoDifference);
  EXPECT_EQ(same->candidate, b.string());

  ASSERT_TRUE(writeFile(b, "something else"));
  EXPECT_FALSE(timeExecutables(a, b, {timing::Input{}}, {}));
  EXPECT_THAT(timeExecutables(a, dir.path() / "none", {timing::Input{}}, {}).error().message,
              HasSubstr("none"));
}

// Half a second of a loop and of half that loop: too little to be sure of a claim on a busy machine, enough
// to be sure that the opposite is not claimed.
TEST(TimingTest, ProgramsAreRunAndJudged) {
  const TempDir dir = TempDir::create().value();
  const auto loop = [&](const char* name, int times) {
    const auto path = dir.path() / name;
    EXPECT_TRUE(
        writeFile(path, fmt::format("#!/bin/sh\ni=0; while [ $i -lt {} ]; do i=$((i+1)); done\n", times)));
    return path;
  };
  TimingOptions options;
  options.trial.budget_s = 0.5;
  options.trial.runs = 1;
  options.repeats = 0;
  const Result<timing::Comparison> found =
      timeExecutables(loop("long", 4000), loop("short", 2000), {timing::Input{}}, options);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NE(found->verdict(), timing::Verdict::kWorse) << timing::toText(*found);
  EXPECT_FALSE(found->trial.why.empty());
}

}  // namespace
}  // namespace ordo::runtime
