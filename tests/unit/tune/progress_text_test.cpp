#include "tune/progress_text.h"

#include <gtest/gtest.h>

namespace ordo::tune {
namespace {

TEST(ProgressTextTest, WhatIsLeftIsOfTheLimitThatThereIs) {
  search::Statistics statistics;
  statistics.evaluations = 500;
  EXPECT_EQ(leftText({.seconds = 10}, statistics, 2), "8 s left");
  EXPECT_EQ(leftText({.seconds = 10}, statistics, 12), "0 s left");
  EXPECT_EQ(leftText({.evaluations = 2000}, statistics, 2), "1 500 sequences left");
  EXPECT_EQ(leftText({.evaluations = 100}, statistics, 2), "0 sequences left");
  EXPECT_EQ(leftText({.passes = 100}, statistics, 2), "") << "and never inf s";
}

TEST(ProgressTextTest, SaysWhatIsDoneAndWhatIsKnown) {
  search::Statistics statistics;
  EXPECT_EQ(progressText("a", "measuring the baseline", 0, statistics, "9 s left"),
            "a  measuring the baseline  9 s left");
  statistics.evaluations = 1200;
  statistics.sequence_hits = 300;
  statistics.duplicate_hits = 300;
  statistics.seconds = 2;
  statistics.best = 90;
  EXPECT_EQ(progressText("a", "searching", 100, statistics, ""),
            "a  searching  best 90 (-10.00 %)  1 200 sequences, 600/s, 50 % known");
}

}  // namespace
}  // namespace ordo::tune
