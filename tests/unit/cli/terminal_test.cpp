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

}  // namespace
}  // namespace ordo::cli
