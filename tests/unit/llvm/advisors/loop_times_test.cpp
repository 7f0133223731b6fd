#include "llvm/advisors/loop_times.h"

#include <gtest/gtest.h>

#include <cmath>

#include "notation/decisions.h"

namespace ordo::advisors {
namespace {

constexpr std::string_view kDriver = R"(
void prepare(void) { for (int i = 0; i < 100; i++) a[i] = i; }
unsigned long hashed(void) { return a[7]; }
unsigned long work(long rounds, long n) {
  unsigned long total = 0;
  for (long r = rounds; r > 0; r--) {
    total += kernel(a, n);
    __asm__ volatile("" ::: "memory");
  }
  return total;
})";

TEST(LoopTimesTest, EveryAnswerThatIsAllowedIsTimed) {
  const std::string source = std::string(R"(static unsigned char a[100];
__attribute__((noinline)) static int kernel(const unsigned char* x, long n) {
  int s = 0;
  for (long i = 0; i < n; i++) s += x[i] * 3;
  return s;
})") + std::string(kDriver);
  const std::vector<long> counts{10, 90};
  // The driver's own loop is none of an array.
  std::string quiet = source;
  quiet.replace(quiet.find("void prepare"), 4, "__attribute__((optnone, noinline)) void");
  const Result<LoopTimes> times = timeLoop(quiet, counts, {});
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(times->features.size(), notation::vectorFactorsDecision().features.size());
  ASSERT_EQ(times->ns.size(), 2u);
  for (const std::vector<double>& ns : times->ns) {
    ASSERT_EQ(ns.size(), notation::vectorFactorsDecision().answers.size());
    for (const double one : ns) EXPECT_GT(one, 0);
  }
}

TEST(LoopTimesTest, WidthsThatAreNotAllowedHaveNoTime) {
  const std::string source = std::string(R"(static float a[100];
__attribute__((noinline)) static float kernel(const float* x, long n) {
  float s = 0;
  for (long i = 0; i < n; i++) s += x[i];
  return s;
}
__attribute__((optnone, noinline))
)") + std::string(kDriver.substr(1));
  const std::vector<long> counts{50};
  const Result<LoopTimes> times = timeLoop(source, counts, {});
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_FALSE(std::isnan(times->ns[0][1])) << "1x1";
  EXPECT_TRUE(std::isnan(times->ns[0].back()));
}

TEST(LoopTimesTest, WhatIsNoLoopAndWhatIsNoCIsSaid) {
  const std::vector<long> counts{50};
  EXPECT_EQ(timeLoop("int f(int x) { return x; }", counts, {}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(timeLoop("this is no C", counts, {}).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::advisors
