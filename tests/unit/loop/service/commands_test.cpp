#include "loop/service/commands.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/files.h"

namespace ordo::loop {
namespace {

class LoopCommandsTest : public testing::Test {
 protected:
  void script(const std::string& name, const std::string& text) {
    ASSERT_TRUE(writeFile(dir_.path() / name, "#!/bin/sh\n" + text));
    ::chmod((dir_.path() / name).c_str(), 0755);
  }
  void SetUp() override {
    settings_.folder = dir_.path();
    settings_.builds = dir_.path() / "builds";
    settings_.build = {"./build", "{candidate}", "{output}"};
    settings_.deploy = {"./deploy", "{pool}", "{artifact}", "x{pool}"};
    settings_.stop = {"./stop", "{pool}"};
    settings_.production = "O1";
    settings_.candidates = {"O2"};
  }

  TempDir dir_ = *TempDir::create();
  Settings settings_;
};

TEST_F(LoopCommandsTest, PlaceholdersAreWholeArguments) {
  EXPECT_EQ(filled({"a", "{pool}", "x{pool}"}, {{"{pool}", "can ary; rm"}}),
            (CommandLine{"a", "can ary; rm", "x{pool}"}));
}

TEST_F(LoopCommandsTest, BuildsTwiceAndThenGivesWhatIsThere) {
  script("build", "echo \"$1\" > \"$2\"; echo x >> count\n");
  CommandBuilder builder(settings_, nullptr);
  const Built first = *builder.build("O2"), again = *builder.build("O2"), third = *builder.build("O2");
  EXPECT_EQ(first.failure, "");
  EXPECT_EQ(first.hash, again.hash);
  EXPECT_EQ(third.artifact, first.artifact);
  EXPECT_EQ(*readFile(dir_.path() / "count"), "x\nx\n");
  EXPECT_NE((*builder.build("")).hash, first.hash);
  EXPECT_NE((*builder.build("O3")).failure, "");
}

TEST_F(LoopCommandsTest, ABuildThatIsNeverTheSameShows) {
  script("build", "date +%s%N > \"$2\"\n");
  CommandBuilder builder(settings_, nullptr);
  EXPECT_NE((*builder.build("O2")).hash, (*builder.build("O2")).hash);
}

TEST_F(LoopCommandsTest, ABuildThatFailsSaysItsLastWords) {
  script("build", "echo first >&2; echo it is broken >&2; exit 3\n");
  CommandBuilder builder(settings_, nullptr);
  EXPECT_NE((*builder.build("O2")).failure.find("status 3: it is broken"), std::string::npos);
  script("build", "exit 0\n");
  EXPECT_NE((*builder.build("O2")).failure.find("wrote no"), std::string::npos);
}

TEST_F(LoopCommandsTest, PoolsAreDeployedByTheirNames) {
  script("build", "echo \"$1\" > \"$2\"\n");
  script("deploy", "echo \"$@\" >> log\n");
  script("stop", "echo stop \"$@\" >> log; exit 1\n");
  CommandBuilder builder(settings_, nullptr);
  CommandPools pools(settings_, builder, nullptr);
  ASSERT_TRUE(pools.deploy(Pool::kCanary, "/a b"));
  ASSERT_TRUE(pools.deploy(Pool::kControl, ""));
  EXPECT_FALSE(pools.stop(Pool::kCanary));
  const std::string first = (settings_.builds / "O1").string();
  EXPECT_EQ(*readFile(dir_.path() / "log"),
            "canary /a b x{pool}\ncontrol " + first + " x{pool}\nstop canary\n");
}

TEST_F(LoopCommandsTest, TheStageTellsWhoAnswersOtherwise) {
  script("one", "echo 1\n");
  script("two", "echo 2\n");
  script("uno", "echo $((3 - 2))\n");
  settings_.stage_runs = {{"--once"}};
  TimedStage stage(settings_, nullptr);
  const std::string one = (dir_.path() / "one").string();
  EXPECT_NE(*stage.failureOf(one, (dir_.path() / "two").string()), "");
  EXPECT_EQ(*stage.failureOf(one, (dir_.path() / "uno").string()), "");
}

TEST_F(LoopCommandsTest, WhatIsNotTimedOnTheStageSaysWhy) {
  settings_.stage_budget_s = 0;
  const auto staged = TimedStage(settings_, nullptr).measure("/bin/true", "/bin/false");
  ASSERT_TRUE(staged);
  EXPECT_FALSE(staged->value);
  EXPECT_EQ(staged->failure, "");
  EXPECT_EQ(staged->unmeasured, "budget_s of [stage] is 0");
}

}  // namespace
}  // namespace ordo::loop
