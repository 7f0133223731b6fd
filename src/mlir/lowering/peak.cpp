#include "mlir/lowering/peak.h"

#include <immintrin.h>

#include <algorithm>
#include <chrono>

namespace ordo::lowering {
namespace {

constexpr int kSums = 12;  // enough to hide the latency of two units
constexpr int kTurns = 100'000;
constexpr int kRuns = 8;

// What they compute is given back, and begins with what comes from outside, so that it is computed, and anew.
__attribute__((target("avx512f"), noinline)) float spinWide(float start) {
  __m512 sums[kSums];
  for (__m512& sum : sums) sum = _mm512_set1_ps(start);
  const __m512 factor = _mm512_set1_ps(0.999F), term = _mm512_set1_ps(1e-3F);
  for (int turn = 0; turn < kTurns; ++turn) {
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, term);
  }
  __m512 all = _mm512_setzero_ps();
  for (const __m512& sum : sums) all = _mm512_add_ps(all, sum);
  return _mm512_cvtss_f32(all);
}

__attribute__((target("avx2,fma"), noinline)) float spinNarrow(float start) {
  __m256 sums[kSums];
  for (__m256& sum : sums) sum = _mm256_set1_ps(start);
  const __m256 factor = _mm256_set1_ps(0.999F), term = _mm256_set1_ps(1e-3F);
  for (int turn = 0; turn < kTurns; ++turn) {
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, term);
  }
  __m256 all = _mm256_setzero_ps();
  for (const __m256& sum : sums) all = _mm256_add_ps(all, sum);
  return _mm256_cvtss_f32(all);
}

}  // namespace

double peakFlops() {
  using Clock = std::chrono::steady_clock;
  const bool wide = __builtin_cpu_supports("avx512f");
  if (!wide && !__builtin_cpu_supports("fma")) return 0;
  double best_s = 1e9;
  volatile float kept = 0;
  for (int run = 0; run < kRuns; ++run) {
    const Clock::time_point start = Clock::now();
    kept = wide ? spinWide(kept) : spinNarrow(kept);
    best_s = std::min(best_s, std::chrono::duration<double>(Clock::now() - start).count());
  }
  static_cast<void>(kept);
  return 2.0 * (wide ? 16 : 8) * kSums * kTurns / best_s;
}

}  // namespace ordo::lowering
