// A layer is applied column by column, y += x[i]·column i, rather than as one dot product for each output:
// the lanes of a vector are then different outputs, each with its own sum in the order of the inputs, and
// nothing about the result depends on how many lanes there are. It also makes skipping an x[i] that is zero
// worth a whole column: most features are zero, and after a ReLU about half of the activations are.
//
// The loop is compiled once for each vector width and chosen when first used. Not by target_clones: its
// resolvers run before sanitizers are set up, and tests could not call one build beside another.
#include "policy/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ordo::policy {
namespace {

// So many columns are added in one go, which saves as many loads and stores of y and keeps the order.
constexpr std::size_t kColumns = 4;

// Inlined into each build and vectorised there. One flat loop over y: clang makes five times less of the
// lines and their lanes as two.
[[gnu::always_inline]] inline void accumulate(std::span<const float> x, const Line* columns,
                                              std::span<Line> out) {
  const std::size_t size = out.size() * kLanes;
  const float* const first = reinterpret_cast<const float*>(columns);
  float* const __restrict y = reinterpret_cast<float*>(out.data());
  float factor[kColumns];
  const float* column[kColumns];
  std::size_t waiting = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == 0) continue;
    factor[waiting] = x[i];
    column[waiting] = first + i * size;
    if (++waiting < kColumns) continue;
    waiting = 0;
    const float f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
    const float *c0 = column[0], *c1 = column[1], *c2 = column[2], *c3 = column[3];
    for (std::size_t j = 0; j < size; ++j) {
      float sum = y[j];
      sum += f0 * c0[j];
      sum += f1 * c1[j];
      sum += f2 * c2[j];
      sum += f3 * c3[j];
      y[j] = sum;
    }
  }
  for (std::size_t k = 0; k < waiting; ++k) {
    for (std::size_t j = 0; j < size; ++j) y[j] += factor[k] * column[k][j];
  }
}

void accumulateSse2(std::span<const float> x, const Line* columns, std::span<Line> y) {
  accumulate(x, columns, y);
}

[[gnu::target("avx2")]] void accumulateAvx2(std::span<const float> x, const Line* columns,
                                            std::span<Line> y) {
  accumulate(x, columns, y);
}

[[gnu::target("avx512f")]] void accumulateAvx512(std::span<const float> x, const Line* columns,
                                                 std::span<Line> y) {
  accumulate(x, columns, y);
}

constexpr Kernel kKernels[] = {
    {"sse2", accumulateSse2}, {"avx2", accumulateAvx2}, {"avx512f", accumulateAvx512}};

std::size_t runnableKernels() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return 1;
  return __builtin_cpu_supports("avx512f") ? 3 : 2;
}

// The sum of `term(i)` for i below `count`, in the order that the header promises.
template <typename Term>
float laneSum(std::size_t count, Term term) {
  float sums[kLanes] = {};
  for (std::size_t i = 0; i < count; ++i) sums[i % kLanes] += term(i);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::size_t runnable = runnableKernels();
  return {kKernels, runnable};
}

void layerNorm(std::span<const float> x, std::span<const float> scale, std::span<const float> shift,
               std::span<float> y) {
  constexpr float kEpsilon = 1e-5f;
  const std::size_t size = x.size();
  const float mean = laneSum(size, [&](std::size_t i) { return x[i]; }) / static_cast<float>(size);
  const float variance =
      laneSum(size, [&](std::size_t i) { return (x[i] - mean) * (x[i] - mean); }) / static_cast<float>(size);
  const float factor = 1 / std::sqrt(variance + kEpsilon);
  for (std::size_t i = 0; i < size; ++i) y[i] = (x[i] - mean) * factor * scale[i] + shift[i];
}

void relu(std::span<float> y) {
  for (float& value : y) value = value > 0 ? value : 0;
}

// e^x = 2^k · e^r with |r| <= ln 2 / 2, where fourteen terms of the Taylor series leave less than 1e-17.
double portableExp(double x) {
  if (x < -700) return 0;
  x = std::min(x, 700.0);
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // ln 2; k·kLn2High is exact
  constexpr double kInvLn2 = 0x1.71547652b82fep+0;
  const double k = std::floor(x * kInvLn2 + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1;
  for (int n = 14; n > 0; --n) sum = 1 + sum * r / n;
  const auto power = static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52;
  return sum * std::bit_cast<double>(power);
}

// With u = 1 + x rounded, log(1 + x) = log u + log((1 + x) / u), and the latter is (x - (u - 1)) / u but for
// squares of the rounding. log u = k · ln 2 + log m with m between sqrt(1/2) and sqrt(2), and
// log m = 2 · atanh s = 2 · (s + s³/3 + s⁵/5 + …) with s = (m - 1) / (m + 1), |s| < 0.172.
double portableLog1p(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1, kSqrt2 = 0x1.6a09e667f3bcdp+0;
  const double u = 1 + x;
  const auto bits = std::bit_cast<std::uint64_t>(u);
  auto k = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > kSqrt2) {
    m /= 2;
    ++k;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int n = 23; n > 0; n -= 2) sum = sum * square + 1.0 / n;
  return static_cast<double>(k) * kLn2 + (2 * s * sum + (x - (u - 1)) / u);
}

}  // namespace ordo::policy
