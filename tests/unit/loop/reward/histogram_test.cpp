#include "loop/reward/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/rng.h"

namespace ordo::loop {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LoopHistogramTest, QuantilesAreWithinABucketOfExactOnes) {
  Rng rng(1);
  for (int trial = 0; trial < 50; ++trial) {
    Histogram histogram;
    std::vector<double> values(1 + rng.below(2000));
    for (double& value : values) {
      value = 1e-4 * std::exp(4 * rng.uniform());
      histogram.add(value);
    }
    std::ranges::sort(values);
    for (const double q : {0.05, 0.5, 0.95, 0.99}) {
      const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
      const double exact = values[std::max<std::size_t>(rank, 1) - 1];
      EXPECT_NEAR(std::log(*histogram.quantile(q) / exact), 0, 0.0201) << q;
    }
  }
}

TEST(LoopHistogramTest, ADifferenceIsWhatWasAddedInBetween) {
  Rng rng(2);
  for (int trial = 0; trial < 50; ++trial) {
    Histogram earlier, between;
    for (int i = 0; i < 100; ++i) earlier.add(rng.uniform());
    Histogram later = earlier;
    for (int i = 0; i < 100; ++i) {
      const double value = rng.uniform();
      later.add(value);
      between.add(value);
    }
    EXPECT_EQ(*later.since(earlier), between);
    EXPECT_FALSE(earlier.since(later)) << "a source that began anew is not a difference";
    earlier.merge(between);
    EXPECT_EQ(earlier, later);
  }
}

TEST(LoopHistogramTest, WhatIsBeyondTheLastBucketHasNoNumber) {
  const auto histogram = Histogram::fromCumulative({{0.1, 90}, {kInfinity, 100}});
  ASSERT_TRUE(histogram);
  EXPECT_TRUE(histogram->quantile(0.5));
  EXPECT_FALSE(histogram->quantile(0.95));
  EXPECT_DOUBLE_EQ(histogram->above(0.2), 10);
  EXPECT_FALSE(Histogram().quantile(0.5));
}

TEST(LoopHistogramTest, NoNumberIsNotCounted) {
  Histogram histogram;
  histogram.add(std::nan(""));
  histogram.add(-1);
  EXPECT_EQ(histogram.count(), 0u);
}

TEST(LoopHistogramTest, BucketsThatCannotBeAreRefused) {
  const double nan = std::nan("");
  const std::vector<std::vector<std::pair<double, double>>> wrong = {{},
                                                                     {{0.1, 1}},
                                                                     {{0.1, 2}, {kInfinity, 1}},
                                                                     {{0.1, 1}, {0.1, 1}, {kInfinity, 2}},
                                                                     {{-1, 1}, {kInfinity, 2}},
                                                                     {{0.1, nan}, {kInfinity, 2}},
                                                                     {{nan, 1}, {kInfinity, 2}},
                                                                     {{0.1, 1}, {kInfinity, 1e300}}};
  for (const auto& buckets : wrong) EXPECT_FALSE(Histogram::fromCumulative(buckets));
}

TEST(LoopHistogramTest, ComesBackFromJsonAndTakesNothingElse) {
  Histogram histogram;
  for (const double value : {0.0, 1e-7, 0.01, 0.02, 5e3}) histogram.add(value, 3);
  EXPECT_EQ(*Histogram::fromJson(histogram.toJson(), "here"), histogram);
  for (const char* text :
       {"{}", "[1]", "[[0,1]]", "[[0,1,-1]]", "[[0,1,0]]", "[[1,0,1]]", "[[0,2,1],[1,3,1]]",
        "[[0,null,1],[1,2,1]]", "[[0,1,1.5]]", "[[0,1,99999999999999999999]]", "[[null,1,1]]"}) {
    EXPECT_FALSE(Histogram::fromJson(*parseJson(text, "text"), "here")) << text;
  }
}

}  // namespace
}  // namespace ordo::loop
