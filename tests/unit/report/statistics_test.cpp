#include "report/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/rng.h"

namespace ordo::report {
namespace {

TEST(StatisticsTest, AMeanIsOfSuitesThenProgramsThenRuns) {
  // Suite one: programs 2 and (4+8)/2 = 6, so 4. Suite two: 10. The mean of all runs would be 6.
  EXPECT_DOUBLE_EQ(meanOfSuites({{{2}, {4, 8}}, {{10}}}), 7);
  EXPECT_EQ(meanOfSuites({}), 0);
}

// Expected values: numpy.quantile (NumPy 2.4).
TEST(StatisticsTest, QuantilesAreNumPys) {
  const std::vector<double> sorted{1, 2, 4, 8, 16};
  EXPECT_DOUBLE_EQ(quantile(sorted, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.025), 1.1);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.6), 5.6);
  EXPECT_DOUBLE_EQ(quantile(sorted, 1), 16);
}

// For many programs of one suite with one run each, the bootstrap of the mean is close to mean ± 1.96
// standard errors.
TEST(StatisticsTest, TheIntervalOfManyValuesIsTheNormalOne) {
  Rng rng(3);
  Sample sample(1);
  double sum = 0, squares = 0;
  constexpr std::size_t kPrograms = 400;
  for (std::size_t i = 0; i < kPrograms; ++i) {
    const double value = rng.uniform() + rng.uniform() + rng.uniform();
    sample[0].push_back({value});
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kPrograms;
  const double error = std::sqrt((squares / kPrograms - mean * mean) / kPrograms);
  const Estimate found = estimate(sample, {.resamples = 20000, .seed = 1});
  EXPECT_NEAR(found.mean, mean, 1e-12);
  // Of 20,000 resamples, the quantiles themselves are known to about 3 % of the standard error.
  EXPECT_NEAR(found.interval->low, mean - 1.96 * error, 0.1 * error);
  EXPECT_NEAR(found.interval->high, mean + 1.96 * error, 0.1 * error);
}

// An interval that says 95 % should hold the truth in about 95 of 100 samples; percentile intervals of 30
// values hold it a little less often.
TEST(StatisticsTest, IntervalsCoverTheTruth) {
  Rng rng(11);
  int covered = 0;
  constexpr int kTrials = 400;
  for (int trial = 0; trial < kTrials; ++trial) {
    Sample sample(2);
    for (auto& suite : sample) {
      for (int program = 0; program < 30; ++program) suite.push_back({rng.uniform()});
    }
    const Estimate found = estimate(sample, {.resamples = 400, .seed = 1});
    covered += found.interval->low <= 0.5 && 0.5 <= found.interval->high;
  }
  EXPECT_GE(covered, kTrials * 90 / 100);
  EXPECT_LE(covered, kTrials * 98 / 100);
}

// Of 50,000 runs 200 resamples are drawn; the interval of a mean of uniform numbers is +-1.96 sqrt(1 / 12 n).
TEST(StatisticsTest, TheIntervalOfALargeSampleIsFoundByFewerResamples) {
  Rng rng(3);
  Sample sample(1);
  for (int program = 0; program < 50'000; ++program) sample[0].push_back({rng.uniform()});
  const Estimate found = estimate(sample);
  const double half = 1.96 * std::sqrt(1.0 / 12 / 50'000);
  // 200 resamples know a quantile to some 8 % of the width.
  EXPECT_NEAR(found.interval->high - found.interval->low, 2 * half, 0.3 * half);
}

TEST(StatisticsTest, ChanceBetweenRunsWidensTheInterval) {
  const Estimate steady = estimate({{{1, 1, 1}, {1, 1, 1}}}), shaky = estimate({{{0, 1, 2}, {0, 1, 2}}});
  EXPECT_EQ(steady.interval->low, steady.interval->high);
  EXPECT_LT(shaky.interval->low, 1);
  EXPECT_GT(shaky.interval->high, 1);
}

// An interval without width would say that it is certain.
TEST(StatisticsTest, WhereThereIsNoChanceToBeSeenThereIsNoInterval) {
  for (const Sample& sample :
       {Sample{{{0.0908}}}, Sample{{{0.0908}}, {{0.1}}}, Sample{{{1, 1, 1}}}, Sample{}}) {
    EXPECT_FALSE(estimate(sample).interval);
    EXPECT_EQ(estimate(sample).mean, meanOfSuites(sample));
  }
  const Comparison alone = compare({{{2}}}, {{{1}}});
  EXPECT_EQ(alone.difference.mean, 1);
  EXPECT_FALSE(alone.difference.interval);
  EXPECT_FALSE(alone.p) << "one program shows nothing";
  EXPECT_TRUE(estimate({{{1}}, {{1, 2}}}).interval) << "two runs that differ";
  EXPECT_TRUE(compare({{{1, 2}}}, {{{1}}}).p);
}

TEST(StatisticsTest, PairingRemovesWhatProgramsShare) {
  // Programs differ by far more than methods do, which only a paired comparison sees through.
  Sample a(1), b(1);
  for (int i = 0; i < 20; ++i) {
    a[0].push_back({10.0 * i + 1});
    b[0].push_back({10.0 * i});
  }
  const Comparison better = compare(a, b);
  EXPECT_DOUBLE_EQ(better.difference.mean, 1);
  EXPECT_DOUBLE_EQ(better.difference.interval->low, 1);
  EXPECT_LT(*better.p, 0.01);
  EXPECT_DOUBLE_EQ(compare(b, a).difference.mean, -1);
  EXPECT_EQ(compare(a, a).p, 1);
}

TEST(StatisticsTest, TheSameSeedGivesTheSameInterval) {
  Sample sample(1);
  for (int i = 0; i < 30; ++i) sample[0].push_back({i * 0.37, i * 0.11});
  const auto low = [&](const Bootstrap& bootstrap) { return estimate(sample, bootstrap).interval->low; };
  EXPECT_EQ(low({}), low({}));
  EXPECT_NE(low({.resamples = 50, .seed = 1}), low({.resamples = 50, .seed = 2}));
}

}  // namespace
}  // namespace ordo::report
