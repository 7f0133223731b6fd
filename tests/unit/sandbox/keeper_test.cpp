#include "sandbox/keeper.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

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

// It has the socket of the keeper as well.
TEST(KeeperTest, AGroupEndsWithItsProcessAlsoIfOneForkedFromItLives) {
  const pid_t kept = sleeper();
  int channel[2];
  ASSERT_EQ(::pipe(channel), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const Kept stays(kept);
    pid_t forked = ::fork();
    if (forked == 0) {
      for (;;) ::pause();
    }
    if (::write(channel[1], &forked, sizeof forked) != sizeof forked) ::_exit(1);
    ::raise(SIGKILL);
  }
  pid_t forked = 0;
  ASSERT_EQ(::read(channel[0], &forked, sizeof forked), static_cast<ssize_t>(sizeof forked));
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(ends(kept));
  ::waitpid(kept, nullptr, 0);
  ::kill(forked, SIGKILL);
  for (const int end : channel) ::close(end);
}

TEST(KeeperTest, AKeeperThatWasKilledIsReplacedAndKnowsWhatTheFirstKnew) {
  const pid_t first = sleeper(), second = sleeper();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const Kept one(first);
    for (const int keeper : childrenOf(::getpid())) {
      ::kill(keeper, SIGKILL);
      ::waitpid(keeper, nullptr, 0);
    }
    const Kept two(second);
    ::raise(SIGKILL);
  }
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(ends(first));
  EXPECT_TRUE(ends(second));
  for (const pid_t child : {first, second}) ::waitpid(child, nullptr, 0);
}

TEST(KeeperTest, AForkedCopyLetsGoOfNothing) {
  const pid_t kept = sleeper();
  const pid_t pid = ::fork();
  if (pid == 0) {
    std::optional<Kept> stays(std::in_place, kept);
    const pid_t forked = ::fork();
    if (forked == 0) {
      stays.reset();
      ::_exit(childrenOf(::getpid()).empty() ? 0 : 1);  // no keeper of its own
    }
    int status = -1;
    ::waitpid(forked, &status, 0);
    if (status != 0) ::_exit(2);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(ends(kept));
  ::waitpid(kept, nullptr, 0);
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
