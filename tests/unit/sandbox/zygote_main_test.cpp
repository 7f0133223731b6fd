#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sandbox/worker.h"
#include "support/clock.h"
#include "support/files.h"
#include "support/usage.h"
#include "tests/fakes/processes.h"
#include "tests/unit/sandbox/processes.h"
#include "tests/unit/sandbox/test_service.h"

namespace ordo::sandbox {
namespace {

bool isRunning(int pid) {
  std::string word, state;
  std::ifstream("/proc/" + std::to_string(pid) + "/stat") >> word >> word >> state;
  return state == "R";
}

TEST(ZygoteMainTest, AWorkerHoldsNothingButStandardStreams) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  const std::unique_ptr<Worker> first = spawn(*zygote);
  const std::unique_ptr<Worker> second = spawn(*zygote);
  ASSERT_TRUE(send(*second, "e").replied());  // past what it closes when it starts
  // As many as the zygote has, less its socket, its signals and its coordinator.
  EXPECT_TRUE(becomesTrue([&] { return descriptorsOf(second->pid()) == descriptorsOf(zygote->pid()) - 3; }));
}

TEST(ZygoteMainTest, DeathsAreNoticedAlsoIfOurParentIgnoredThem) {
  const auto saved = ::signal(SIGCHLD, SIG_IGN);  // survives exec
  const std::unique_ptr<Zygote> zygote = startZygote();
  ::signal(SIGCHLD, saved);
  Limits limits;
  limits.wall_s = kSoon;
  const std::unique_ptr<Worker> worker = spawn(*zygote, limits);
  EXPECT_EQ(send(*worker, "x").ending, CallResult::Ending::kDied);
}

TEST(ZygoteMainTest, WhatIsSentToTheWholeGroupLeavesItAndItsWorkersAlone) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::kill(zygote->pid(), signal);
    const std::unique_ptr<Worker> worker = spawn(*zygote);
    ASSERT_TRUE(send(*worker, "e").replied());
    ::kill(worker->pid(), signal);
    EXPECT_TRUE(send(*worker, "e").replied()) << signal;
  }
}

// The coordinator is killed in a way that leaves it no time for anything, while one worker loops.
TEST(ZygoteMainTest, NothingOutlivesACoordinatorThatIsKilled) {
  int channel[2];
  ASSERT_EQ(::pipe2(channel, O_CLOEXEC), 0);
  const pid_t coordinator = ::fork();
  if (coordinator == 0) {
    const std::unique_ptr<Zygote> zygote = startZygote();
    const std::unique_ptr<Worker> idle = spawn(*zygote);
    const std::unique_ptr<Worker> busy = spawn(*zygote);
    const int pids[3] = {zygote->pid(), idle->pid(), busy->pid()};
    if (::write(channel[1], pids, sizeof pids) != sizeof pids) ::_exit(1);
    send(*busy, "h");
    ::_exit(1);
  }
  int pids[3] = {};
  ASSERT_EQ(::read(channel[0], pids, sizeof pids), static_cast<ssize_t>(sizeof pids));
  ASSERT_TRUE(becomesTrue([&] { return isRunning(pids[2]); }));
  ::kill(coordinator, SIGKILL);
  ::waitpid(coordinator, nullptr, 0);
  for (const int pid : pids) EXPECT_TRUE(ends(pid)) << pid;
  ::close(channel[0]);
  ::close(channel[1]);
}

TEST(ZygoteMainTest, NothingOutlivesTheCoordinatorAlsoIfItIsStopped) {
  int channel[2];
  ASSERT_EQ(::pipe2(channel, O_CLOEXEC), 0);
  const pid_t coordinator = ::fork();
  if (coordinator == 0) {
    const std::unique_ptr<Zygote> zygote = startZygote();
    const std::unique_ptr<Worker> idle = spawn(*zygote);
    const int pids[2] = {zygote->pid(), idle->pid()};
    if (!send(*idle, "e").replied()) ::_exit(1);  // a worker that has only just begun is not idle yet
    if (::write(channel[1], pids, sizeof pids) != sizeof pids) ::_exit(1);
    for (;;) ::pause();
  }
  int pids[2] = {};
  ASSERT_EQ(::read(channel[0], pids, sizeof pids), static_cast<ssize_t>(sizeof pids));
  for (const int pid : pids) ::kill(pid, SIGSTOP);
  ::kill(coordinator, SIGKILL);
  ::waitpid(coordinator, nullptr, 0);
  for (const int pid : pids) EXPECT_TRUE(ends(pid)) << pid;
  ::close(channel[0]);
  ::close(channel[1]);
}

TEST(ZygoteMainTest, NothingOutlivesTheCoordinatorAlsoIfItIsStoppedBeforeItHasBegun) {
  const TempDir dir = *TempDir::create();
  const std::string program = (dir.path() / "stops").string();
  ASSERT_TRUE(writeFile(program, "#!/bin/sh\nkill -STOP $$\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const pid_t coordinator = ::fork();
  if (coordinator == 0) {
    const auto zygote = Zygote::start({program});
    for (;;) ::pause();
  }
  std::vector<int> started;
  while (started.empty() || !isStopped(started.front())) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    started = childrenOf(coordinator);
  }
  ::kill(coordinator, SIGKILL);
  ::waitpid(coordinator, nullptr, 0);
  EXPECT_TRUE(ends(started.front()));
}

// A process that was forked from the coordinator has the socket to the zygote as well.
TEST(ZygoteMainTest, NothingOutlivesTheCoordinatorAlsoIfAProcessForkedFromItLives) {
  int channel[2];
  ASSERT_EQ(::pipe2(channel, O_CLOEXEC), 0);
  const pid_t coordinator = ::fork();
  if (coordinator == 0) {
    const std::unique_ptr<Zygote> zygote = startZygote();
    const std::unique_ptr<Worker> idle = spawn(*zygote);
    const pid_t forked = ::fork();
    if (forked == 0) {
      for (;;) ::pause();
    }
    const int pids[3] = {zygote->pid(), idle->pid(), forked};
    if (::write(channel[1], pids, sizeof pids) != sizeof pids) ::_exit(1);
    for (;;) ::pause();
  }
  int pids[3] = {};
  ASSERT_EQ(::read(channel[0], pids, sizeof pids), static_cast<ssize_t>(sizeof pids));
  ::kill(coordinator, SIGKILL);
  ::waitpid(coordinator, nullptr, 0);
  EXPECT_TRUE(ends(pids[0]));
  EXPECT_TRUE(ends(pids[1]));
  ::kill(pids[2], SIGKILL);
  ::close(channel[0]);
  ::close(channel[1]);
}

}  // namespace
}  // namespace ordo::sandbox
