#include "sandbox/worker.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/clock.h"
#include "tests/unit/sandbox/processes.h"
#include "tests/unit/sandbox/test_service.h"

namespace ordo::sandbox {
namespace {

using Ending = CallResult::Ending;

// A zygote with one worker.
class WorkerTest : public testing::Test {
 protected:
  CallResult call(std::string_view request, const Limits& limits = {}) {
    worker_ = spawn(*zygote_, limits);
    return send(*worker_, request);
  }

  // The worker of the latest call is dead and the zygote has buried it.
  void expectGone() {
    EXPECT_FALSE(worker_->alive());
    EXPECT_TRUE(ends(worker_->pid()));
    EXPECT_TRUE(becomesTrue([&] { return childrenOf(zygote_->pid()).empty(); }));
  }

  std::unique_ptr<Zygote> zygote_ = startZygote();
  std::unique_ptr<Worker> worker_;
};

TEST_F(WorkerTest, AnswersOneRequestAfterAnother) {
  worker_ = spawn(*zygote_);
  for (const std::string request : {"e", "echo", "eels and eggs"}) {
    const CallResult result = send(*worker_, request);
    ASSERT_TRUE(result.replied()) << result.detail;
    EXPECT_EQ(text(result), request);
    EXPECT_EQ(result.progress, 0u);
  }
  EXPECT_TRUE(worker_->alive());
}

TEST_F(WorkerTest, CarriesTensOfMegabytesAndGivesTheMemoryBack) {
  constexpr std::size_t kSize = std::size_t{48} << 20;
  worker_ = spawn(*zygote_);
  const std::span<std::byte> request = worker_->request().first(kSize);
  for (std::size_t i = 0; i < kSize; ++i) request[i] = static_cast<std::byte>(i * 2654435761u >> 24);
  request[0] = static_cast<std::byte>('e');
  const CallResult result = worker_->call(kSize);
  ASSERT_TRUE(result.replied()) << result.detail;
  ASSERT_EQ(result.reply.size(), kSize);
  for (std::size_t i = 1; i < kSize; i += 4093) {
    ASSERT_EQ(result.reply[i], static_cast<std::byte>(i * 2654435761u >> 24)) << i;
  }
  const std::size_t before = residentBytes(::getpid());
  worker_->trim(0);
  EXPECT_LT(residentBytes(::getpid()), before - kSize / 2);
  EXPECT_EQ(text(send(*worker_, "e again")), "e again");
}

TEST_F(WorkerTest, CountsTheStepsOfARequest) {
  const CallResult result = call("steps");
  ASSERT_TRUE(result.replied());
  EXPECT_EQ(result.progress, 2u);
  EXPECT_EQ(send(*worker_, "e").progress, 0u);
}

TEST_F(WorkerTest, ASegmentationFaultIsTheEndOfTheWorkerOnly) {
  const CallResult result = call("S");
  EXPECT_EQ(result.ending, Ending::kDied);
  EXPECT_EQ(result.progress, 2u);
  EXPECT_EQ(result.detail, "killed by signal 11 (Segmentation fault)");
  expectGone();
  EXPECT_TRUE(call("e").replied());
}

TEST_F(WorkerTest, LeavesLastWordsWhenItAborts) {
  const CallResult result = call("a");
  EXPECT_EQ(result.ending, Ending::kDied);
  EXPECT_EQ(result.detail, "killed by signal 6 (Aborted): a pass said goodbye");
  expectGone();
}

TEST_F(WorkerTest, LeavingThroughExitIsADeathToo) {
  const CallResult result = call("x");
  EXPECT_EQ(result.ending, Ending::kDied);
  EXPECT_EQ(result.detail, "exited with status 3");
  expectGone();
}

TEST_F(WorkerTest, BeingKilledDuringACallIsNoFaultOfIt) {
  const CallResult result = call("k");
  EXPECT_EQ(result.ending, Ending::kLost);
  EXPECT_TRUE(result.worthAnother());
  EXPECT_EQ(result.detail, "killed by signal 9 (Killed)");
  expectGone();
}

TEST_F(WorkerTest, BeingKilledWithMuchMemoryMayBeTheCallsFault) {
  Limits limits;
  limits.memory_bytes = 2 * kLarge;
  const CallResult result = call("K", limits);
  EXPECT_EQ(result.ending, Ending::kKilled);
  EXPECT_TRUE(result.worthAnother());
  EXPECT_EQ(result.detail, "killed by signal 9 (Killed)");
  expectGone();
}

TEST_F(WorkerTest, MemoryIsLimited) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve terabytes of address space, so it is not limited";
  Limits limits;
  limits.memory_bytes = std::size_t{64} << 20;
  const CallResult result = call("m", limits);
  EXPECT_EQ(result.ending, Ending::kOutOfMemory) << result.detail;
  EXPECT_EQ(result.detail, "needed more than 64 MiB");
  expectGone();
}

TEST_F(WorkerTest, TheWatchdogEndsALoop) {
  Limits limits;
  limits.wall_s = 0.2;
  const SteadyClock clock;
  const double start = clock.seconds();
  const CallResult result = call("h", limits);
  EXPECT_EQ(result.ending, Ending::kTimedOut);
  EXPECT_EQ(result.progress, 2u);
  EXPECT_EQ(result.detail, "ran past 0.2 s and was stopped");
  EXPECT_GE(clock.seconds() - start, 0.2);
  expectGone();
}

TEST_F(WorkerTest, TheWatchdogEndsASleepThatUsesNoProcessorTime) {
  Limits limits;
  limits.wall_s = 0.2;
  EXPECT_EQ(call("p", limits).ending, Ending::kTimedOut);
  expectGone();
}

TEST_F(WorkerTest, WhoseTimeRanOutWithoutAProcessorIsSaidToHaveStarved) {
  Limits limits;
  limits.wall_s = 0.8;
  const CallResult result = call("p", limits);
  EXPECT_EQ(result.ending, Ending::kTimedOut);
  EXPECT_TRUE(result.starved);
  limits.cpu_s = 0.2;
  limits.wall_s = 60;
  EXPECT_FALSE(call("h", limits).starved);
}

// Otherwise a long replay of actions that were fast enough one by one would be killed.
TEST_F(WorkerTest, TheWatchdogStartsAnewWithEachStep) {
  Limits limits;
  limits.wall_s = 1;  // the steps take 1.2 s together, and 0.3 s each
  const CallResult result = call("w", limits);
  EXPECT_TRUE(result.replied()) << result.detail;
  EXPECT_EQ(result.progress, 6u);
}

TEST_F(WorkerTest, ProcessorTimeIsLimited) {
  Limits limits;
  limits.cpu_s = 0.2;  // the kernel rounds up to a second
  const CallResult result = call("h", limits);
  EXPECT_EQ(result.ending, Ending::kTimedOut);
  EXPECT_EQ(result.detail, "used more than 0.2 s of processor time");
  expectGone();
}

TEST_F(WorkerTest, AReplyThatCannotBeIsADeathAndNotTheEndOfTheCoordinator) {
  EXPECT_EQ(call("b").ending, Ending::kDied);
  EXPECT_EQ(worker_->call(1).ending, Ending::kLost);
  expectGone();
}

TEST_F(WorkerTest, AnOverwrittenMailboxIsADeathAtOnce) {
  const CallResult result = call("o");
  EXPECT_EQ(result.ending, Ending::kDied);
  EXPECT_EQ(result.detail, "overwrote its mailbox");
  expectGone();
}

TEST_F(WorkerTest, ARequestToADeadWorkerIsLostAndNotBlamed) {
  ASSERT_EQ(call("S").progress, 2u);
  const CallResult result = send(*worker_, "e");
  EXPECT_EQ(result.ending, Ending::kLost);
  EXPECT_EQ(result.progress, 0u);
}

TEST_F(WorkerTest, ARequestToAWorkerThatWasKilledWhileIdleIsLostAndNotBlamed) {
  ASSERT_TRUE(call("e").replied());
  ::kill(worker_->pid(), SIGKILL);
  EXPECT_EQ(send(*worker_, "S").ending, Ending::kLost);
  expectGone();
}

TEST_F(WorkerTest, AWorkerThatDiesBeforeItServesSaysHow) {
  const std::unique_ptr<Zygote> broken = startZygote(brokenProgram());
  const std::unique_ptr<Worker> worker = spawn(*broken);
  const CallResult result = send(*worker, "e");
  EXPECT_EQ(result.ending, Ending::kLost);
  EXPECT_EQ(result.detail, "exited with status 9");
}

TEST_F(WorkerTest, OneThatIsStoppedForGoodIsGivenUpAndNotBlamed) {
  ASSERT_TRUE(call("e").replied());
  ::kill(worker_->pid(), SIGSTOP);
  const CallResult result = send(*worker_, "e");
  EXPECT_EQ(result.ending, Ending::kLost);
  EXPECT_EQ(result.detail, "was stopped by a signal");
  expectGone();
}

TEST_F(WorkerTest, OneThatGoesOnAgainIsWaitedFor) {
  ASSERT_TRUE(call("e").replied());
  ::kill(worker_->pid(), SIGSTOP);
  worker_->request()[0] = static_cast<std::byte>('e');
  worker_->post(1, false);
  for (int looks = 0; looks < 3; ++looks) EXPECT_FALSE(worker_->answered());
  ::kill(worker_->pid(), SIGCONT);
  EXPECT_TRUE(worker_->finish().replied());
}

// As a vector of environments waits: it has many to look after.
TEST_F(WorkerTest, ADeathThatNobodyIsLeftToReportIsAnAnswerToo) {
  ASSERT_TRUE(call("e").replied());
  ::kill(zygote_->pid(), SIGKILL);
  EXPECT_TRUE(ends(worker_->pid()));
  worker_->post(1, false);
  EXPECT_TRUE(becomesTrue([&] { return worker_->answered(); }));
  EXPECT_EQ(worker_->finish().ending, Ending::kLost);
}

TEST_F(WorkerTest, ACallEndsSoonWhenTheZygoteIsKilledMeanwhile) {
  const CallResult result = call("z");
  EXPECT_EQ(result.ending, Ending::kLost);
  EXPECT_EQ(result.detail, "ended with the helper process that had started it");
  EXPECT_FALSE(worker_->alive());
  EXPECT_TRUE(ends(worker_->pid()));
  EXPECT_FALSE(zygote_->alive());
}

TEST_F(WorkerTest, TheDestructorKillsEvenABusyWorker) {
  Limits limits;
  limits.wall_s = 0.2;
  worker_ = spawn(*zygote_);
  const int pid = worker_->pid();
  worker_->request()[0] = static_cast<std::byte>('h');
  worker_ = nullptr;
  EXPECT_TRUE(ends(pid));
  EXPECT_TRUE(becomesTrue([&] { return childrenOf(zygote_->pid()).empty(); }));
}

TEST_F(WorkerTest, MemoryOnBothSidesStaysFlatOverTwentyThousandCalls) {
  worker_ = spawn(*zygote_);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(send(*worker_, "echo").replied());
  const std::size_t ours = residentBytes(::getpid());
  const std::size_t theirs = residentBytes(worker_->pid());
  for (int i = 0; i < 20000; ++i) ASSERT_TRUE(send(*worker_, i % 2 == 0 ? "echo" : "steps").replied());
  // A leak of 32 bytes per call would show; a few pages come and go. What is freed under a sanitizer
  // waits in quarantine before it is used again.
  constexpr std::size_t kSlack = kSanitized ? 16 << 20 : 512 << 10;
  EXPECT_LE(residentBytes(::getpid()), ours + kSlack);
  EXPECT_LE(residentBytes(worker_->pid()), theirs + kSlack);
}

}  // namespace
}  // namespace ordo::sandbox
