#include "loop/service/watchdog.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <thread>

#include "support/files.h"

namespace ordo::loop {
namespace {

class LoopWatchdogTest : public testing::Test {
 protected:
  std::function<bool()> leaveWord() {
    return [file = file_] { return static_cast<bool>(std::ofstream(file) << "withdrawn"); };
  }
  bool withdrawn(double seconds) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!std::filesystem::exists(file_) && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return std::filesystem::exists(file_);
  }

  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "word";
};

TEST_F(LoopWatchdogTest, WithdrawsWhenTheControllerIsKilled) {
  const pid_t controller = ::fork();
  if (controller == 0) {
    const Result<Watchdog> watchdog = Watchdog::start(60, leaveWord());
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(controller, nullptr, 0);
  EXPECT_TRUE(withdrawn(10));
}

TEST_F(LoopWatchdogTest, WithdrawsWhenTheControllerSaysNothing) {
  const Watchdog watchdog = *Watchdog::start(0.05, leaveWord());
  EXPECT_TRUE(withdrawn(10));
}

TEST_F(LoopWatchdogTest, DoesNothingWhileItIsToldAndOnceItIsReleased) {
  {
    Watchdog watchdog = *Watchdog::start(60, leaveWord());
    for (int i = 0; i < 10; ++i) watchdog.alive();
    watchdog.release();
  }
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(LoopWatchdogTest, WithdrawsWhateverEndsItsControllerWithoutThat) {
  {
    const Watchdog watchdog = *Watchdog::start(60, leaveWord());
  }
  EXPECT_TRUE(std::filesystem::exists(file_)) << "who looks after the end finds it done";
}

// The balancer may take its time, and its controller may not.
TEST_F(LoopWatchdogTest, IsNotWaitedForWithoutBound) {
  const auto began = std::chrono::steady_clock::now();
  pid_t pid = 0;
  {
    const Watchdog watchdog = *Watchdog::start(60, [] {
      ::sleep(1000);
      return false;
    });
    pid = watchdog.pid();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(500));
  EXPECT_EQ(::kill(pid, SIGKILL), 0) << "it goes on by itself";
  ::waitpid(pid, nullptr, 0);
}

TEST_F(LoopWatchdogTest, IsMissedOnceItIsKilledOrStopped) {
  Watchdog killed = *Watchdog::start(60, leaveWord());
  EXPECT_TRUE(killed.watches());
  ::kill(killed.pid(), SIGKILL);
  while (killed.watches()) std::this_thread::yield();
  Watchdog stopped = *Watchdog::start(0.2, leaveWord());
  ::kill(stopped.pid(), SIGSTOP);
  while (stopped.watches()) stopped.alive();
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(LoopWatchdogTest, OneThatIsStoppedIsNotLeftBehind) {
  pid_t pid = 0;
  {
    Watchdog stopped = *Watchdog::start(60, leaveWord());
    pid = stopped.pid();
    ::kill(pid, SIGSTOP);
    stopped.release();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_FALSE(std::filesystem::exists(file_)) << "there was nothing to do";
}

}  // namespace
}  // namespace ordo::loop
