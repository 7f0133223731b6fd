#include "mlir/lowering/peak.h"

#include <algorithm>
#include <chrono>

namespace ordo::lowering {
namespace {

constexpr int kSums = 12;  // enough to hide the latency of two units
constexpr int kTurns = 100'000;
constexpr int kRuns = 8;

template <typename Number>
using Wide [[gnu::vector_size(64)]] = Number;
template <typename Number>
using Narrow [[gnu::vector_size(32)]] = Number;

// What is computed is given back, and begins with what comes from outside, so that it is computed, and anew.
// Inlined into functions for one kind of processor each, whose multiply-add it becomes.
template <typename Lanes, typename Number>
[[gnu::always_inline]] inline Number spin(Number start) {
  Lanes sums[kSums];
  for (Lanes& sum : sums) sum = Lanes{} + start;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (Lanes& sum : sums) sum = sum * Number(0.999) + Number(1e-3);
  }
  Lanes all{};
  for (const Lanes& sum : sums) all += sum;
  return all[0];
}

template <typename Number>
[[gnu::target("avx512f"), gnu::noinline]] Number spinWide(Number start) {
  return spin<Wide<Number>>(start);
}
template <typename Number>
[[gnu::target("avx2,fma"), gnu::noinline]] Number spinNarrow(Number start) {
  return spin<Narrow<Number>>(start);
}

template <typename Number>
double peakOf(bool wide) {
  using Clock = std::chrono::steady_clock;
  double best_s = 1e9;
  volatile Number kept = 0;
  for (int run = 0; run < kRuns; ++run) {
    const Clock::time_point start = Clock::now();
    kept = wide ? spinWide<Number>(kept) : spinNarrow<Number>(kept);
    best_s = std::min(best_s, std::chrono::duration<double>(Clock::now() - start).count());
  }
  static_cast<void>(kept);
  return 2.0 * static_cast<double>((wide ? 64 : 32) / sizeof(Number)) * kSums * kTurns / best_s;
}

}  // namespace

double peakFlops(std::int64_t bytes) {
  const bool wide = __builtin_cpu_supports("avx512f");
  if (!wide && !__builtin_cpu_supports("fma")) return 0;
  return bytes == 8 ? peakOf<double>(wide) : peakOf<float>(wide);
}

}  // namespace ordo::lowering
