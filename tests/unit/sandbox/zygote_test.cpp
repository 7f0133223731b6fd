#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <functional>
#include <set>
#include <thread>

#include "sandbox/worker.h"
#include "support/files.h"
#include "support/usage.h"
#include "tests/unit/sandbox/processes.h"
#include "tests/unit/sandbox/test_service.h"

namespace ordo::sandbox {
namespace {

std::unique_ptr<Service> makeTestService() { return std::make_unique<TestService>(); }

TEST(ZygoteTest, AProgramThatIsNotThereIsNamed) {
  const auto zygote = Zygote::start({"/proc/nonexistent/ordo-worker"});
  ASSERT_FALSE(zygote);
  EXPECT_EQ(zygote.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(zygote.error().message,
            "there is no worker program at /proc/nonexistent/ordo-worker; build or install Ordo again");
}

TEST(ZygoteTest, AProgramThatEndsAtOnceIsAnErrorOfTheFirstSpawn) {
  const std::unique_ptr<Zygote> zygote = startZygote({"/bin/false"});
  const auto worker = zygote->spawn({});
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(
      worker.error().message,
      "the helper process that starts workers exited with status 1; set ORDO_DEBUG=1 to see what it says");
  EXPECT_FALSE(zygote->alive());
}

TEST(ZygoteTest, ForkingThisProcessDoesWithoutAProgram) {
  auto zygote = Zygote::forkHere(makeTestService);
  ASSERT_TRUE(zygote);
  const std::unique_ptr<Worker> worker = spawn(**zygote);
  EXPECT_EQ(text(send(*worker, "echo")), "echo");
}

TEST(ZygoteTest, SixtyFourWorkersServeAtOnceAndLeaveNoTrace) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  std::vector<std::unique_ptr<Worker>> workers;
  std::set<int> pids;
  for (int i = 0; i < 64; ++i) {
    workers.push_back(spawn(*zygote));
    pids.insert(workers.back()->pid());
  }
  EXPECT_EQ(pids.size(), 64u);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const std::string request = fmt::format("e{}", i);
    EXPECT_EQ(text(send(*workers[i], request)), request);
  }
  EXPECT_EQ(childrenOf(zygote->pid()).size(), 64u);
  workers.clear();
  for (const int pid : pids) EXPECT_TRUE(ends(pid));
  EXPECT_TRUE(becomesTrue([&] { return childrenOf(zygote->pid()).empty(); }));  // no zombies either
}

TEST(ZygoteTest, ThreadsMaySpawnAtOnce) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 8; ++i) {
        const std::unique_ptr<Worker> worker = spawn(*zygote);
        EXPECT_EQ(text(send(*worker, "echo")), "echo");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// That is why it starts in milliseconds (bench/bench_start.cpp measures them): nothing is loaded again.
TEST(ZygoteTest, AWorkerIsACopyOfTheZygoteAndNoProgramThatStarts) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  const std::unique_ptr<Worker> worker = spawn(*zygote);
  // The kernel's words to a program that it starts, among them the address of 16 random bytes.
  const auto start = [](int pid) { return *readFile(fmt::format("/proc/{}/auxv", pid)); };
  EXPECT_EQ(start(worker->pid()), start(zygote->pid()));
  EXPECT_NE(start(worker->pid()), start(startZygote()->pid()));
}

TEST(ZygoteTest, TwoHundredWorkersLeakNoDescriptor) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  const auto spawnAndBury = [&](int count) {
    for (int i = 0; i < count; ++i) spawn(*zygote);
    return becomesTrue([&] { return childrenOf(zygote->pid()).empty(); });
  };
  ASSERT_TRUE(spawnAndBury(1));
  const std::size_t ours = descriptorsOf(::getpid());
  const std::size_t theirs = descriptorsOf(zygote->pid());
  ASSERT_TRUE(spawnAndBury(200));
  EXPECT_EQ(descriptorsOf(::getpid()), ours);
  EXPECT_EQ(descriptorsOf(zygote->pid()), theirs);
}

TEST(ZygoteTest, AWorkerWhoseDescriptorFindsNoRoomIsNotLeftBehind) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  spawn(*zygote);
  ASSERT_TRUE(becomesTrue([&] { return childrenOf(zygote->pid()).empty(); }));
  rlimit saved{};
  ::getrlimit(RLIMIT_NOFILE, &saved);
  // Room for one more descriptor: the channel takes it, the worker's does not arrive.
  const int next = ::dup(0);
  ::close(next);
  const rlimit one{static_cast<rlim_t>(next) + 1, saved.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &one);
  const auto worker = zygote->spawn({});
  ::setrlimit(RLIMIT_NOFILE, &saved);
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().message, "cannot hold another worker: Too many open files");
  EXPECT_TRUE(becomesTrue([&] { return childrenOf(zygote->pid()).empty(); }));
  EXPECT_EQ(text(send(*spawn(*zygote), "echo")), "echo");
}

TEST(ZygoteTest, StartsAlsoWithoutStandardStreams) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int fd = 0; fd < 3; ++fd) ::close(fd);
    auto zygote = Zygote::start(testProgram());
    auto worker = zygote ? (*zygote)->spawn({}) : fail(ErrorCode::kInternal, "no zygote");
    ::_exit(worker && send(**worker, "e").replied() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ZygoteTest, WhatItsWorkersHaveUsedIsOursInTheEnd) {
  const auto children_s = [] {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
  };
  const double before_s = children_s();
  {
    const std::unique_ptr<Zygote> zygote = startZygote();
    Limits limits;
    limits.cpu_s = 1;
    const std::unique_ptr<Worker> gone = spawn(*zygote, limits), alive = spawn(*zygote);
    EXPECT_FALSE(send(*gone, "h").replied());  // it has burnt its second
    alive->request()[0] = std::byte{'h'};
    alive->post(1, /*spin=*/false);
    EXPECT_TRUE(becomesTrue([&] { return treeCpuSeconds(alive->pid()) > 0.3; }));
  }
  EXPECT_GT(children_s() - before_s, 1.25);
}

TEST(ZygoteTest, ItsEndIsTheEndOfItsWorkers) {
  std::unique_ptr<Zygote> zygote = startZygote();
  const std::unique_ptr<Worker> worker = spawn(*zygote);
  const int pid = zygote->pid();
  zygote = nullptr;
  EXPECT_TRUE(ends(worker->pid()));
  EXPECT_THAT(childrenOf(::getpid()), testing::Not(testing::Contains(pid))) << "the zygote is a zombie";
}

TEST(ZygoteTest, AfterItsEndTheNextWorkerIsThatOfAnother) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  const std::unique_ptr<Worker> before = spawn(*zygote);
  const int first = zygote->pid();
  for (int round = 0; round < 3; ++round) {
    const int pid = zygote->pid();
    ::kill(pid, SIGKILL);
    EXPECT_TRUE(ends(pid));
    EXPECT_FALSE(zygote->alive());
    const std::unique_ptr<Worker> worker = spawn(*zygote);
    EXPECT_TRUE(zygote->alive());
    EXPECT_NE(zygote->pid(), pid);
    const std::uint32_t rings = zygote->bell().rings();
    EXPECT_EQ(text(send(*worker, "echo")), "echo");
    EXPECT_TRUE(becomesTrue([&] { return zygote->bell().rings() != rings; })) << "it rings another bell";
  }
  EXPECT_TRUE(ends(before->pid()));
  EXPECT_EQ(send(*before, "e").ending, CallResult::Ending::kLost);
  EXPECT_THAT(childrenOf(::getpid()), testing::Not(testing::Contains(first))) << "a zombie";
}

TEST(ZygoteTest, OneThatIsStoppedForGoodIsReplaced) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  const std::unique_ptr<Worker> before = spawn(*zygote);
  const int pid = zygote->pid();
  ::kill(pid, SIGSTOP);
  EXPECT_EQ(text(send(*spawn(*zygote), "echo")), "echo");
  EXPECT_NE(zygote->pid(), pid);
  EXPECT_TRUE(ends(pid));
  EXPECT_TRUE(ends(before->pid()));
}

// What a process forked from the coordinator does is told by its exit status.
int statusOf(const std::function<bool()>& check) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(ZygoteTest, AForkedProcessEndsNothingOfItsParents) {
  std::unique_ptr<Zygote> zygote = startZygote();
  std::unique_ptr<Worker> worker = spawn(*zygote);
  const int status = statusOf([&] {
    if (worker->alive() || zygote->alive()) return false;
    if (send(*worker, "e from the child").ending != CallResult::Ending::kLost) return false;
    worker = nullptr;
    zygote = nullptr;
    return true;
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(zygote->alive());
  EXPECT_TRUE(worker->alive());
  EXPECT_EQ(text(send(*worker, "echo")), "echo");
}

TEST(ZygoteTest, AForkedProcessStartsItsOwn) {
  const std::unique_ptr<Zygote> zygote = startZygote();
  const std::unique_ptr<Worker> worker = spawn(*zygote);
  const int pid = zygote->pid();
  EXPECT_EQ(statusOf([&] {
              const std::unique_ptr<Worker> mine = spawn(*zygote);
              return zygote->pid() != pid && text(send(*mine, "echo")) == "echo";
            }),
            0);
  EXPECT_EQ(zygote->pid(), pid);
  EXPECT_EQ(text(send(*worker, "echo")), "echo");
  EXPECT_EQ(text(send(*spawn(*zygote), "echo")), "echo");
}

}  // namespace
}  // namespace ordo::sandbox

// The tests of a folder are one program; started with --control-fd it is the zygote of its own tests.
int main(int argc, char** argv) {
  using namespace ordo::sandbox;
  if (argc >= 3 && std::string_view(argv[argc - 2]) == "--control-fd") {
    const bool broken = std::string_view(argv[1]) == "--broken";
    zygoteMain(std::atoi(argv[argc - 1]), [broken] {
      if (broken) ::_exit(9);
      return makeTestService();
    });
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
