#include "cli/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "support/exit_code.h"

namespace ordo::cli {
namespace {

TEST(TerminalTest, NobodyInterruptedYet) { EXPECT_FALSE(interrupted()); }

TEST(TerminalTest, AnInterruptIsHeardUntilItIsForgotten) {
  interrupted();
  ::raise(SIGINT);
  EXPECT_TRUE(interrupted());
  forgetInterrupt();
  EXPECT_FALSE(interrupted());
}

TEST(TerminalTest, WhatWasInterruptedEndsWithTheCodeForThat) {
  const Error late{ErrorCode::kDeadlineExceeded, "stopped"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(report(late), exitCode(ErrorCode::kDeadlineExceeded));
  ::raise(SIGINT);
  EXPECT_EQ(report(late), kInterrupted);
  EXPECT_EQ(report({ErrorCode::kNotFound, "no such file"}), exitCode(ErrorCode::kNotFound));
  forgetInterrupt();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ordo: stopped\nordo: stopped\nordo: no such file\n");
}

struct HandClock final : Clock {
  double seconds() const override { return now; }
  double now = 0;
};

// Tests have no terminal, as logs have none.
TEST(TerminalTest, ALogHasALineOfProgressEachMinute) {
  HandClock clock;
  ProgressLine progress(true, clock), quiet(false, clock);
  const auto shown_at = [&](double seconds) {
    clock.now = seconds;
    testing::internal::CaptureStderr();
    progress.show("half done");
    quiet.show("half done");
    progress.clear();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(shown_at(59), "");
  EXPECT_EQ(shown_at(60), "half done\n");
  EXPECT_EQ(shown_at(119), "");
  EXPECT_EQ(shown_at(200), "half done\n");
  EXPECT_EQ(shown_at(259), "");
}

// A terminal of our own as standard error while `does` runs; what it was shown.
template <typename Does>
std::string onTerminal(Does does) {
  const int saved = ::dup(STDERR_FILENO);
  int controller = -1, terminal = -1;
  if (::openpty(&controller, &terminal, nullptr, nullptr, nullptr) != 0) return "no terminal";
  std::fflush(stderr);
  ::dup2(terminal, STDERR_FILENO);
  does();
  std::fflush(stderr);
  ::dup2(saved, STDERR_FILENO);
  ::close(saved);
  ::close(terminal);  // what was written stays to be read, in parts
  std::string shown;
  char part[256];
  for (ssize_t count = 0; (count = ::read(controller, part, sizeof part)) > 0;)
    shown.append(part, static_cast<std::size_t>(count));
  ::close(controller);
  return shown;
}

TEST(TerminalTest, ANoteStandsAboveTheProgressLine) {
  const std::string shown = onTerminal([] {
    ProgressLine progress(true);
    progress.show("half done");
    note("look");
  });
  EXPECT_EQ(shown, "\rhalf done\033[K\r\033[Kordo: note: look\r\nhalf done\r\033[K");
}

TEST(TerminalTest, WithoutAProgressLineANoteIsALine) {
  testing::internal::CaptureStderr();
  note("look");
  EXPECT_EQ(report({ErrorCode::kCorrupt, "broken"}), 65);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ordo: note: look\nordo: broken\n");
}

}  // namespace
}  // namespace ordo::cli
