#include "loop/safety/governor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/rng.h"

namespace ordo::loop {
namespace {

constexpr double kHour = 3600, kDay = 24 * kHour;

// A service that has a request a second, of which `bad` are, told every five minutes until `now`.
std::vector<Spending> steady(double now, double seconds, double bad) {
  std::vector<Spending> spent;
  for (double at = now - seconds + 300; at <= now; at += 300) spent.push_back({at, 300, 300 * bad});
  return spent;
}

TEST(LoopGovernorTest, IsBoldWithABudgetAndStillWithout) {
  const double now = 100 * kDay;
  const auto mode = [&](double bad) {
    return allow(steady(now, 30 * kDay, bad), now, Mode::kExplore, {}).mode;
  };
  EXPECT_EQ(mode(0), Mode::kExplore);
  EXPECT_EQ(mode(0.0004), Mode::kExplore);
  EXPECT_EQ(mode(0.0006), Mode::kCareful);
  EXPECT_EQ(mode(0.0009), Mode::kExploit);
  EXPECT_EQ(mode(0.5), Mode::kExploit);
  EXPECT_EQ(allow({}, now, Mode::kExplore, {}).mode, Mode::kExplore);
}

TEST(LoopGovernorTest, ABurstEndsItAtOnceAndIsForgotten) {
  const double now = 100 * kDay;
  std::vector<Spending> spent = steady(now - kHour, 29 * kDay, 0);
  const std::vector<Spending> burst = steady(now, kHour, 0.02);  // 20 times the rate
  spent.insert(spent.end(), burst.begin(), burst.end());
  EXPECT_EQ(allow(spent, now, Mode::kExplore, {}).mode, Mode::kExploit);
  EXPECT_EQ(allow(spent, now, Mode::kExplore, {}).most_share, 0);
  // An hour later it is over, and costs 3 % of the budget.
  const std::vector<Spending> calm = steady(now + kHour, kHour, 0);
  spent.insert(spent.end(), calm.begin(), calm.end());
  EXPECT_EQ(allow(spent, now + kHour, Mode::kExploit, {}).mode, Mode::kExplore);
}

TEST(LoopGovernorTest, DoesNotGoBackAndForth) {
  const double now = 100 * kDay;
  const std::vector<Spending> spent = steady(now, 30 * kDay, 0.00078);  // 22 % are left
  EXPECT_EQ(allow(spent, now, Mode::kCareful, {}).mode, Mode::kCareful);
  EXPECT_EQ(allow(spent, now, Mode::kExploit, {}).mode, Mode::kExploit);
}

TEST(LoopGovernorTest, LessBudgetNeverAllowsMore) {
  Rng rng(1);
  const double now = 100 * kDay;
  for (int trial = 0; trial < 100; ++trial) {
    const double bad = 0.002 * rng.uniform(), worse = bad + 0.001 * rng.uniform();
    for (const Mode last : {Mode::kExplore, Mode::kCareful, Mode::kExploit}) {
      const Allowance more = allow(steady(now, 2 * kDay, bad), now, last, {});
      const Allowance less = allow(steady(now, 2 * kDay, worse), now, last, {});
      EXPECT_LE(less.most_share, more.most_share);
      EXPECT_LE(less.temperature, more.temperature);
      EXPECT_LE(less.left, more.left);
    }
  }
}

TEST(LoopGovernorTest, AScaledDayIsADay) {
  const double scale = 1.0 / 60;
  std::vector<Spending> spent = steady(100 * kDay, 2 * kDay, 0.0007);
  const Allowance plain = allow(spent, 100 * kDay, Mode::kExplore, {});
  for (Spending& each : spent) each.at_s *= scale;
  const Allowance scaled = allow(spent, 100 * kDay * scale, Mode::kExplore, {.time_scale = scale});
  EXPECT_EQ(plain.mode, scaled.mode);
  EXPECT_NEAR(plain.burn_hour, scaled.burn_hour, 0.1);
}

TEST(LoopGovernorTest, OptionsThatMakeNoSenseAreNamed) {
  EXPECT_TRUE(check(GovernorOptions{}));
  for (const GovernorOptions& options :
       {GovernorOptions{.objective = 1}, GovernorOptions{.time_scale = 0}, GovernorOptions{.most_share = 0.5},
        GovernorOptions{.explore_above = 0.1}, GovernorOptions{.period_s = std::nan("")}})
    EXPECT_FALSE(check(options));
}

}  // namespace
}  // namespace ordo::loop
