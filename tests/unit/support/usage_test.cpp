#include "support/usage.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace ordo {
namespace {

void burn(double seconds) {
  const double end = threadCpuSeconds() + seconds;
  while (threadCpuSeconds() < end) continue;
}

TEST(UsageTest, AThreadsTimeIsPartOfItsProcess) {
  const double thread = threadCpuSeconds(), process = processCpuSeconds();
  burn(0.02);
  EXPECT_GE(threadCpuSeconds() - thread, 0.02);
  EXPECT_GE(processCpuSeconds() - process, 0.02);
}

TEST(UsageTest, AFamilyIsAProcessItsChildrenAndItsDead) {
  int to_parent[2], to_test[2];
  ASSERT_EQ(::pipe(to_parent), 0);
  ASSERT_EQ(::pipe(to_test), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    // One child that is buried after 50 ms of work, and one that stays, with 32 MiB and 30 ms of work.
    const pid_t first = ::fork();
    if (first == 0) {
      burn(0.05);
      ::_exit(0);
    }
    ::waitpid(first, nullptr, 0);
    if (::fork() == 0) {
      constexpr std::size_t kBytes = 32 << 20;
      void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      std::memset(memory, 1, kBytes);
      burn(0.03);
      ::alarm(5);  // should the test forget it
      if (::write(to_test[1], "x", 1) != 1) ::_exit(1);
      ::pause();
      ::_exit(0);
    }
    char byte = 0;
    ::_exit(::read(to_parent[0], &byte, 1) == 1 ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(::read(to_test[0], &byte, 1), 1);
  const FamilyUsage usage = familyUsage(parent);
  // The buried one's time may be short of two hundredths: user and system are rounded down.
  EXPECT_GE(usage.cpu_s, 0.06);
  EXPECT_LT(usage.cpu_s, 10);
  EXPECT_GE(usage.peak_bytes, 32u << 20);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
}

// A child of a thread that is not the first, and its child: a family is not enough for such.
TEST(UsageTest, ATreeGoesAllTheWayDown) {
  int to_test[2];
  ASSERT_EQ(::pipe(to_test), 0);
  const pid_t root = ::fork();
  if (root == 0) {
    ::setpgid(0, 0);
    std::thread([&] {
      if (::fork() == 0 && ::fork() == 0) {
        burn(0.05);
        if (::write(to_test[1], "x", 1) != 1) ::_exit(1);
      }
      ::alarm(5);  // should the test forget them
      ::pause();
    }).join();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(to_test[0], &byte, 1), 1);
  EXPECT_GE(treeCpuSeconds(root), 0.05);
  EXPECT_LT(treeCpuSeconds(root), 10);
  ::kill(-root, SIGKILL);
  ::waitpid(root, nullptr, 0);
}

TEST(UsageTest, NobodyUsesNothing) {
  EXPECT_EQ(treeCpuSeconds(0x7ffffff0), 0);
  const FamilyUsage usage = familyUsage(0x7ffffff0);
  EXPECT_EQ(usage.cpu_s, 0);
  EXPECT_EQ(usage.peak_bytes, 0u);
}

TEST(UsageTest, WhoRunsIsAtWorkAndWhoIsStoppedOrWaitsIsNot) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t busy = ::fork();
  if (busy == 0) {
    ::alarm(60);  // should the test forget it
    for (;;) continue;
  }
  const pid_t waiting = ::fork();
  if (waiting == 0) {
    char byte = 0;
    ::close(ends[1]);
    ::_exit(::read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  EXPECT_TRUE(isAtWork(busy));
  ::kill(busy, SIGSTOP);
  ASSERT_EQ(::waitpid(busy, nullptr, WUNTRACED), busy);
  EXPECT_FALSE(isAtWork(busy));
  EXPECT_TRUE(isStopped(busy));
  while (isAtWork(waiting)) std::this_thread::yield();
  EXPECT_FALSE(isStopped(waiting));
  ::kill(busy, SIGKILL);
  ::close(ends[1]);
  for (const pid_t pid : {busy, waiting}) ::waitpid(pid, nullptr, 0);
  EXPECT_FALSE(isAtWork(busy));
}

}  // namespace
}  // namespace ordo
