#include "sandbox/keeper.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/confined.h"
#include "support/files.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::sandbox {
namespace {

// A process that sleeps, in a group of its own.
pid_t sleeper() {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setpgid(0, 0);
    ::execlp("sleep", "sleep", "1000", nullptr);
    ::_exit(127);
  }
  ::setpgid(pid, pid);
  return pid;
}

TEST(KeeperTest, AGroupEndsWithItsProcessAsLongAsItIsKept) {
  const pid_t kept = sleeper(), let_go = sleeper(), never = sleeper();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const Kept stays(kept);
    {
      const Kept was(let_go);
    }
    ::raise(SIGKILL);
  }
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(ends(kept));
  for (const pid_t other : {let_go, never}) {
    EXPECT_FALSE(ends(other, 0.1));
    ::kill(other, SIGKILL);
  }
  for (const pid_t child : {kept, let_go, never}) ::waitpid(child, nullptr, 0);
}

// The kernel ends the program with us, but not what the program started.
TEST(KeeperTest, WhatAConfinedProgramStartedEndsWithUs) {
  const TempDir dir = TempDir::create().value();
  const std::filesystem::path file = dir.path() / "pid";
  const pid_t pid = ::fork();
  if (pid == 0) {
    (void)runConfined({.executable = "/bin/bash",
                       .argv = {"bash", "-c", "(sleep 1000 & echo $! >pid.new; mv pid.new pid); sleep 1000"},
                       .dir = dir.path(),
                       .wall_s = 1000});
    ::_exit(0);
  }
  ASSERT_TRUE(becomesTrue([&] { return std::filesystem::exists(file); }));
  const pid_t started = std::stoi(readFile(file).value());
  EXPECT_FALSE(ends(started, 0.1));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(ends(started));
}

TEST(KeeperTest, TheKeeperLeavesWithUs) {
  const TempDir dir = TempDir::create().value();
  const pid_t pid = ::fork();
  if (pid == 0) {
    {
      const Kept kept(::getpid());
    }  // the first starts it
    const std::vector<int> children = childrenOf(::getpid());
    (void)writeFile(dir.path() / "pid", std::to_string(children.empty() ? 0 : children.front()));
    ::_exit(0);
  }
  ::waitpid(pid, nullptr, 0);
  const pid_t keeper = std::stoi(readFile(dir.path() / "pid").value());
  ASSERT_GT(keeper, 0);
  EXPECT_TRUE(ends(keeper));
}

}  // namespace
}  // namespace ordo::sandbox
