#include "cli/terminal.h"

#include <gtest/gtest.h>
#include <signal.h>

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

}  // namespace
}  // namespace ordo::cli
