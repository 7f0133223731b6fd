#include "cli/terminal.h"

#include <gtest/gtest.h>

namespace ordo::cli {
namespace {

TEST(TerminalTest, GroupsDigitsByThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(1234567.4), "1 234 567");
  EXPECT_EQ(grouped(-1234), "-1 234");
}

TEST(TerminalTest, ChangesHaveASignUnlessThereIsNone) {
  EXPECT_EQ(change(1000, 957), "-4.30 %");
  EXPECT_EQ(change(1000, 1010), "+1.00 %");
  EXPECT_EQ(change(1000, 1000), "0.00 %");
  EXPECT_EQ(change(0, 0), "0.00 %");
  EXPECT_EQ(change(0, 5), "n/a");
}

}  // namespace
}  // namespace ordo::cli
