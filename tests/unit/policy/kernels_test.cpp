#include "policy/kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "support/hash.h"
#include "support/rng.h"

namespace ordo::policy {
namespace {

// `count` numbers in [-1, 1), about half of them 0.
std::vector<float> randomFloats(std::size_t count, Rng& rng) {
  std::vector<float> values(count);
  for (float& value : values) value = rng.chance(0.5) ? 0 : static_cast<float>(2 * rng.uniform() - 1);
  return values;
}

Lines randomLines(std::size_t lines, Rng& rng) {
  Lines result(lines);
  for (float& value : floats(result)) value = static_cast<float>(2 * rng.uniform() - 1);
  return result;
}

std::string_view bytesOf(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

TEST(KernelsTest, TheFirstRunsEverywhereAndNamesAreDistinct) {
  EXPECT_EQ(kernels().front().name, "sse2");
  for (const Kernel& kernel : kernels()) EXPECT_TRUE(&kernel == &kernels().front() || kernel.name != "sse2");
}

TEST(KernelsTest, AllGiveTheBitsOfThePlainLoop) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t inputs = rng.between(0, 40), lines = rng.between(1, 9);
    const std::vector<float> x = randomFloats(inputs, rng);
    const Lines columns = randomLines(inputs * lines, rng), start = randomLines(lines, rng);
    std::vector<float> expected(floats(start).begin(), floats(start).end());
    for (std::size_t j = 0; j < expected.size(); ++j) {
      for (std::size_t i = 0; i < inputs; ++i) {
        // Through memory, so that no compiler fuses or reorders.
        volatile float product = x[i] * floats(columns)[i * expected.size() + j];
        volatile float sum = expected[j] + product;
        if (x[i] != 0) expected[j] = sum;
      }
    }
    for (const Kernel& kernel : kernels()) {
      Lines y = start;
      kernel.accumulate(x, columns.data(), y);
      EXPECT_EQ(bytesOf(floats(y)), bytesOf(expected)) << kernel.name << ", " << inputs << " x " << lines;
    }
  }
}

TEST(KernelsTest, ZerosAreSkipped) {
  const std::vector<float> x{0, -0.0f, 2};
  Lines columns(3), y(1);
  columns[0].lane[0] = columns[1].lane[0] = INFINITY;  // times 0 is not a number
  columns[2].lane[0] = 3;
  for (const Kernel& kernel : kernels()) {
    y[0].lane[0] = 1;
    kernel.accumulate(x, columns.data(), y);
    EXPECT_EQ(y[0].lane[0], 7) << kernel.name;
  }
}

TEST(KernelsTest, LayerNormIsThatOfItsDefinition) {
  Rng rng(2);
  for (const std::size_t size : {1u, 2u, 15u, 16u, 17u, 100u, 384u}) {
    std::vector<float> x = randomFloats(size, rng);
    const std::vector<float> scale = randomFloats(size, rng), shift = randomFloats(size, rng);
    double mean = 0, variance = 0;
    for (const double value : x) mean += value / static_cast<double>(size);
    for (const double value : x) variance += (value - mean) * (value - mean) / static_cast<double>(size);
    std::vector<float> y(size);
    layerNorm(x, scale, shift, y);
    for (std::size_t i = 0; i < size; ++i) {
      const double expected = (x[i] - mean) / std::sqrt(variance + 1e-5) * scale[i] + shift[i];
      EXPECT_NEAR(y[i], expected, 1e-5) << "float has 7 digits, and the factor is up to 300";
    }
    layerNorm(x, scale, shift, x);
    EXPECT_EQ(x, y) << "in place";
  }
}

// The numbers below were made by one machine; every other one must make the same.
TEST(KernelsTest, TheBitsAreThoseOfEveryOtherMachine) {
  Rng rng(3);
  const std::vector<float> x = randomFloats(200, rng);
  const Lines columns = randomLines(200 * 4, rng);
  const std::vector<float> scale = randomFloats(64, rng), shift = randomFloats(64, rng);
  Lines y(4);
  fastestKernel().accumulate(x, columns.data(), y);
  layerNorm(floats(y), scale, shift, floats(y));
  relu(floats(y));
  EXPECT_EQ(hashBytes(bytesOf(floats(y))).hex(), "57aa75940e2ec08760d40d9a1cf46db5");
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(portableExp((rng.uniform() - 0.5) * 1400));
    values.push_back(portableLog1p(std::ldexp(rng.uniform(), i / 10)));
  }
  EXPECT_EQ(hashBytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}).hex(),
            "50de8d86a08b7b9b4dce3411d3c28ace");
}

TEST(KernelsTest, ReluKeepsWhatIsPositive) {
  std::vector<float> y{-1, 0, -0.0f, 2};
  relu(y);
  EXPECT_EQ(y, (std::vector<float>{0, 0, 0, 2}));
  EXPECT_FALSE(std::signbit(y[2]));
}

// libm is within 1e-15 of the truth; ours promises 1e-14.
TEST(KernelsTest, ExpIsWithinItsBoundOfLibm) {
  Rng rng(4);
  for (int i = 0; i < 100000; ++i) {
    const double x = (rng.uniform() - 0.5) * 2 * (i % 2 == 0 ? 699 : 2);
    EXPECT_NEAR(portableExp(x) / std::exp(x), 1, 1e-14) << x;
  }
  EXPECT_EQ(portableExp(0), 1);
  EXPECT_EQ(portableExp(-701), 0);
  EXPECT_EQ(portableExp(-INFINITY), 0);
  EXPECT_EQ(portableExp(1e9), portableExp(700));
}

TEST(KernelsTest, Log1pIsWithinItsBoundOfLibm) {
  Rng rng(5);
  for (int exponent = -60; exponent < 300; ++exponent) {
    for (int i = 0; i < 300; ++i) {
      const double x = std::ldexp(1 + rng.uniform(), exponent);
      EXPECT_NEAR(portableLog1p(x) / std::log1p(x), 1, 1e-14) << x;
    }
  }
  for (double count = 0; count < 10000; ++count)
    EXPECT_NEAR(portableLog1p(count), std::log1p(count), 1e-14 * count);
  EXPECT_EQ(portableLog1p(0), 0);
}

}  // namespace
}  // namespace ordo::policy
