#include "check/behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/input.h"
#include "engine/stock.h"
#include "support/files.h"

namespace ordo::check {
namespace {

using testing::HasSubstr;

const std::string kCrc32 = ORDO_SOURCE_DIR "/suite/crc32";

TEST(BehaviourTest, AProgramDoesWhatItDoes) {
  const engine::Input input = *engine::prepareInput(kCrc32, {}, {});
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  EXPECT_EQ(behaviour->unusable, "");
  EXPECT_EQ(behaviour->runs.size(), input.program.tests.size());
  EXPECT_EQ(behaviour->source_check.verdict, Verdict::kPassed) << behaviour->source_check.detail;
  const auto output = checkOutput(*behaviour, input.compiled.bytes, {}, 1);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->verdict, Verdict::kPassed) << output->detail;
  const auto address = checkAddress(*behaviour, input.compiled.bytes, 1);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->verdict, Verdict::kPassed) << address->detail;
}

TEST(BehaviourTest, AnotherProgramDoesNot) {
  const engine::Input input = *engine::prepareInput(kCrc32, {}, {});
  const engine::Input other = *engine::prepareInput(ORDO_SOURCE_DIR "/suite/wc", {}, {});
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  const auto output = checkOutput(*behaviour, other.compiled.bytes, {}, 0);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->verdict, Verdict::kFailed);
  EXPECT_THAT(output->detail, HasSubstr("clang's exited with status 0"));
}

// A program in a folder, with one test, whose output is not looked at here.
engine::Input programOf(const TempDir& dir, const std::string& text) {
  EXPECT_TRUE(writeFile(dir.path() / "prog.c", text));
  engine::Input input = *engine::prepareInput((dir.path() / "prog.c").string(), {}, {});
  input.program.dir = dir.path();
  input.program.tests.emplace_back();
  input.program.tests.back().name = "only";
  return input;
}

TEST(BehaviourTest, WhatDoesNotDoTheSameTwiceIsNoReference) {
  const TempDir dir = *TempDir::create();
  const engine::Input input = programOf(dir, R"(
#include <stdio.h>
#include <unistd.h>
int main(void) { printf("%d\n", getpid()); return 0; })");
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  EXPECT_THAT(behaviour->unusable, HasSubstr("does not do the same each time: only: line 1"));
  EXPECT_EQ(checkOutput(*behaviour, input.compiled.bytes, {}, 0)->verdict, Verdict::kSkipped);
}

TEST(BehaviourTest, WhoGoesAstrayLaterIsFoundOutBeforeAnybodyIsCalledWrong) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "word", "one\n"));
  const engine::Input input = programOf(dir, R"(
#include <stdio.h>
int main(void) { FILE* f = fopen("word", "r"); putchar(fgetc(f)); return 0; })");
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  EXPECT_EQ(behaviour->unusable, "");
  ASSERT_TRUE(writeFile(dir.path() / "word", "two\n"));
  for (const auto& check : {checkOutput(*behaviour, input.compiled.bytes, {}, 1),
                            checkAddress(*behaviour, input.compiled.bytes, 1)}) {
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_EQ(check->verdict, Verdict::kSkipped);
    EXPECT_THAT(check->detail, HasSubstr("as clang makes it, the program does not do the same each time"));
  }
}

TEST(BehaviourTest, WhatCannotBeRunIsSkipped) {
  engine::Input input = *engine::prepareInput(kCrc32, {}, {});
  input.program.tests.clear();
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  EXPECT_EQ(checkOutput(*behaviour, input.compiled.bytes, {}, 0)->verdict, Verdict::kSkipped);
  EXPECT_THAT(behaviour->unusable, HasSubstr("no tests"));
}

}  // namespace
}  // namespace ordo::check
