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

TEST_F(LoopWatchdogTest, DoesNothingWhileItIsToldAndAfterAGoodbye) {
  {
    const Watchdog watchdog = *Watchdog::start(5, leaveWord());
    for (int i = 0; i < 10; ++i) watchdog.alive();
  }
  EXPECT_FALSE(withdrawn(0.1));
}

}  // namespace
}  // namespace ordo::loop
