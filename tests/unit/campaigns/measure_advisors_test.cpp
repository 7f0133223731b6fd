#include "campaigns/measure_advisors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/campaigns/fake_advise.h"

namespace ordo::campaigns {
namespace {

// The first advisor makes a.bc smaller and b.bc larger, the second leaves both; c.bc fails.
constexpr std::string_view kScript = R"(#!/bin/sh
while [ $1 != -- ]; do shift; done
shift
for m; do
  case $m in
    *a.bc) echo '{"module":"'$m'","usual":100,"advised":[90,100]}';;
    *b.bc) echo '{"module":"'$m'","usual":100,"advised":[120,100]}';;
    *) echo '{"module":"'$m'","failure":"no"}';;
  esac
done
)";

TEST(MeasureAdvisorsTest, AddsUpWhatEachDoesToModules) {
  const FakeAdvise fake(kScript);
  const Result<TempDir> run = TempDir::create();
  AdvisorTraining options;
  options.run = run->path();
  std::vector<AdvisedTotals> totals;
  const std::vector<std::string> modules{fake.add("a.bc"), fake.add("b.bc"), fake.add("c.bc")};
  ASSERT_TRUE(measureAdvisors(options, {"first", "second"}, modules, totals));
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].modules, 2u);
  EXPECT_EQ(totals[0].smaller, 1u);
  EXPECT_EQ(totals[0].larger, 1u);
  EXPECT_EQ(totals[0].advised, 210);
  EXPECT_NEAR(totals[0].log_ratio, (std::log(0.9) + std::log(1.2)) / 2, 1e-12);
  EXPECT_EQ(totals[1].log_ratio, 0);

  options.race = true;
  ASSERT_TRUE(measureAdvisors(options, {"first"}, modules, totals));
  EXPECT_EQ(totals[0].advised, 190) << "in a race the smaller counts";
}

TEST(MeasureAdvisorsTest, StopsWhenItIsTold) {
  const FakeAdvise fake(kScript);
  const Result<TempDir> run = TempDir::create();
  AdvisorTraining options;
  options.run = run->path();
  options.progress = [](std::string_view) { return false; };
  std::vector<AdvisedTotals> totals;
  const Result<bool> measured = measureAdvisors(options, {"first", "second"}, {fake.add("a.bc")}, totals);
  ASSERT_TRUE(measured);
  EXPECT_FALSE(*measured);
}

}  // namespace
}  // namespace ordo::campaigns
