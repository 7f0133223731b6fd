#include "running/counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "sandbox/confined.h"
#include "support/process.h"

namespace ordo::running {
namespace {

// A shell script as a program's only test.
datasets::Program shell(const std::string& script, int exit = 0) {
  datasets::Program program;
  program.name = "script";
  program.tests.push_back(
      {.name = "test", .args = {"-c", script}, .input = {}, .expected = {}, .exit = exit});
  program.tests[0].timeout_s = 0.1;  // five seconds under cachegrind
  return program;
}

class CountsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!findProgram({"valgrind"}))
      GTEST_SKIP() << "valgrind is not installed (Debian: apt-get install valgrind)";
  }
  static std::vector<std::int64_t> count(const datasets::Program& program) {
    const auto counts = countEvents(CountSource::kCachegrind, program, "/bin/sh");
    EXPECT_TRUE(counts) << counts.error().message;
    return counts.value_or(std::vector<std::int64_t>(kCountNames.size()));
  }
  static CountStatus statusOf(const std::vector<std::int64_t>& counts) {
    return static_cast<CountStatus>(counts[1]);
  }
};

TEST_F(CountsTest, AProgramCountsTheSameEachTimeAndItsTestsAddUp) {
  datasets::Program program = shell("i=0; while [ $i -lt 100 ]; do i=$((i+1)); done; exit 3", 3);
  const std::vector<std::int64_t> once = count(program);
  EXPECT_EQ(once[0], 2);
  EXPECT_EQ(statusOf(once), CountStatus::kAsTested);
  for (std::size_t i = 2; i < once.size(); ++i) EXPECT_GT(once[i], 0) << kCountNames[i];
  EXPECT_GT(once[2], once[3]) << "not every instruction is a branch";
  EXPECT_GT(once[3], once[4]) << "not every branch is predicted wrongly";
  program.tests.push_back(program.tests[0]);
  const std::vector<std::int64_t> twice = count(program);
  for (std::size_t i = 2; i < once.size(); ++i) EXPECT_EQ(twice[i], 2 * once[i]) << kCountNames[i];
}

TEST_F(CountsTest, ARunThatGoesWrongIsSaidToAndCountedToItsEnd) {
  const std::vector<std::int64_t> other = count(shell("exit 3"));
  EXPECT_EQ(statusOf(other), CountStatus::kOtherwise);
  EXPECT_GT(other[2], 0);
  const std::vector<std::int64_t> killed = count(shell("kill -SEGV $$"));
  EXPECT_EQ(statusOf(killed), CountStatus::kKilled);
  EXPECT_GT(killed[2], 0);
}

TEST_F(CountsTest, ARunThatWeEndCountsNothing) {
  datasets::Program endless = shell("while :; do :; done");
  endless.tests[0].timeout_s = 0.02;
  endless.tests.push_back(shell("exit 0").tests[0]);
  const std::vector<std::int64_t> counts = count(endless);
  EXPECT_EQ(statusOf(counts), CountStatus::kTimedOut);
  for (std::size_t i = 2; i < counts.size(); ++i) EXPECT_EQ(counts[i], kNotCounted) << kCountNames[i];
}

TEST(CountEventsTest, WhatIsNotBuiltCountsNothing) {
  const auto counts = countEvents(CountSource::kHardware, shell("exit 0"), "");
  ASSERT_TRUE(counts) << counts.error().message;
  std::vector<std::int64_t> expected(kCountNames.size(), kNotCounted);
  expected[0] = 1;
  expected[1] = static_cast<std::int64_t>(CountStatus::kNotBuilt);
  EXPECT_EQ(*counts, expected);
}

TEST(CountEventsTest, HardwareCountsWhatItHas) {
  // Where it has nothing, nothing is counted, and nothing is made up.
  const auto counts = countEvents(CountSource::kHardware, shell("exit 3"), "/bin/sh");
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ((*counts)[1], static_cast<std::int64_t>(CountStatus::kOtherwise));
  const bool counted = sandbox::countersProblem().empty();
  EXPECT_EQ((*counts)[2] > 0, counted);
  for (std::size_t i = 2; i < counts->size(); ++i) EXPECT_TRUE(counted || (*counts)[i] == kNotCounted);
}

TEST(CountEventsTest, WhereThereIsNothingToCountWithTheRemedyIsSaid) {
  if (!sandbox::countersProblem().empty()) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/proc/nonexistent", 1);
    const auto source = countSource();
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(source.error().message, testing::HasSubstr("apt-get install valgrind"));
  } else {
    EXPECT_EQ(countSource().value(), CountSource::kHardware);
  }
}

}  // namespace
}  // namespace ordo::running
