#include "timing/processor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::timing {
namespace {

constexpr std::string_view kStat =
    "cpu  100 0 0 0 0 0 0 0 0 0\n"
    "cpu0 300 20 40 1000 60 5 15 80 12 0\n"
    "cpu10 1 2 3 4 5 6 7 8 0 0\n"
    "intr 12345 1 2 3\n";

TEST(ProcessorTest, TimesAreThoseOfTheRightLine) {
  const auto times = parseProcessorTimes(kStat, 0, 100);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(times->busy_s, 3.8);
  EXPECT_DOUBLE_EQ(times->stolen_s, 0.8);
  EXPECT_DOUBLE_EQ(times->idle_s, 10.6);
  EXPECT_DOUBLE_EQ(parseProcessorTimes(kStat, 10, 1)->busy_s, 19);
  EXPECT_FALSE(parseProcessorTimes(kStat, 1, 100));
  EXPECT_FALSE(parseProcessorTimes("cpu1 3 x\n", 1, 100));
  EXPECT_FALSE(parseProcessorTimes("", 0, 100));
}

TEST(ProcessorTest, TheQuietestIsOneThatWeMayUse) {
  const std::vector<unsigned> allowed = allowedProcessors();
  ASSERT_FALSE(allowed.empty());
  const Result<unsigned> quietest = quietestProcessor(0.02);
  ASSERT_TRUE(quietest) << quietest.error().message;
  EXPECT_THAT(allowed, testing::Contains(*quietest));
  EXPECT_GT(processorTimes(*quietest)->total_s(), 0);
  EXPECT_FALSE(processorTimes(100000));
}

}  // namespace
}  // namespace ordo::timing
