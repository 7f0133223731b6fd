#include "sandbox/own_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "support/files.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::sandbox {
namespace {

namespace fs = std::filesystem;

Result<ConfinedRun> shell(const std::string& script, const fs::path& offered) {
  return runInOwnFolder({.executable = "/bin/bash", .argv = {"bash", "-c", script}}, offered);
}

TEST(OwnFolderTest, WhatIsOfferedCanBeReadAndNotChanged) {
  const TempDir offered = TempDir::create().value();
  ASSERT_TRUE(writeFile(offered.path() / "data", "given\n"));
  fs::create_directory(offered.path() / "sub");
  ASSERT_TRUE(writeFile(offered.path() / "sub" / "more", "below\n"));
  const auto ran = shell("cat data sub/more; echo x >data || echo y >sub/new || echo z >own && cat own",
                         fs::relative(offered.path()));
  ASSERT_TRUE(ran) << ran.error().message;
  if (confinementGaps().empty()) {
    EXPECT_EQ(ran->out, "given\nbelow\nz\n");
    EXPECT_EQ(readFile(offered.path() / "data").value(), "given\n");
  }
}

TEST(OwnFolderTest, EachRunHasANewOneThatGoes) {
  for (int i = 0; i < 2; ++i) {
    const auto ran = shell("ls; mkdir -p a/b; echo x >a/b/c; pwd", "");
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_THAT(ran->out, testing::StartsWith("/"));  // nothing was there
    EXPECT_FALSE(fs::exists(ran->out.substr(0, ran->out.find('\n'))));
  }
}

// A batch system signals everything in a job, and stops it.
TEST(OwnFolderTest, ARunThatSomebodyElseEndsIsRepeated) {
  for (const int signal : {SIGTERM, SIGKILL, SIGSTOP}) {
    std::thread somebody([signal] {
      EXPECT_TRUE(becomesTrue([signal] {
        for (const int child : childrenOf(::getpid())) {
          if (readFile(fmt::format("/proc/{}/comm", child)).value_or("") == "bash\n")
            return ::kill(child, signal) == 0;
        }
        return false;
      }));
    });
    const auto ran = shell("sleep 0.5; echo done", "");
    somebody.join();
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(ran->out, "done\n") << signal;
  }
}

TEST(OwnFolderTest, ARunThatEndsItselfEachTimeIsAResult) {
  const auto ran = shell("kill -TERM $$", "");
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->signal, SIGTERM);
}

TEST(OwnFolderTest, AFileThatIsWantedIsCopied) {
  const TempDir dir = TempDir::create().value();
  const fs::path copy = dir.path() / "copy";
  const auto after = [&](const std::string& script) {
    EXPECT_TRUE(writeFile(copy, "of before"));
    const auto ran =
        runInOwnFolder({.executable = "/bin/bash", .argv = {"bash", "-c", script}}, "", Wanted{"made", copy});
    EXPECT_TRUE(ran) << ran.error().message;
    return readFile(copy).value_or("none");
  };
  EXPECT_EQ(after("echo 17 >made"), "17\n");
  EXPECT_EQ(after("echo 17 >other"), "none");
  EXPECT_EQ(after("ln -s /etc/hostname made"), "none") << "a link could lead anywhere";
  EXPECT_EQ(after("mkdir made"), "none");
  EXPECT_EQ(runInOwnFolder({.executable = "/bin/bash", .argv = {"bash", "-c", "echo >made"}}, "",
                           Wanted{"made", "/proc/nonexistent/folder/copy"})
                .error()
                .code,
            ErrorCode::kUnavailable);
}

TEST(OwnFolderTest, EverybodySeesTheSameEnvironment) {
  const auto ran = shell("echo $PATH $LC_ALL $HOME", "");
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->out, "/usr/bin:/bin C /nonexistent\n");
}

TEST(OwnFolderTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_EQ(shell("true", "/proc/nonexistent/folder").error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::sandbox
