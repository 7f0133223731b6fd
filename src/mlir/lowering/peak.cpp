#include "mlir/lowering/peak.h"

#include <algorithm>
#include <chrono>

namespace ordo::lowering {
namespace {

constexpr int kSums = 12;  // enough to hide the latency of two units
constexpr int kTurns = 100'000;
constexpr int kRuns = 8;

using Wide [[gnu::vector_size(64)]] = float;
using Narrow [[gnu::vector_size(32)]] = float;

// What is computed is given back, and begins with what comes from outside, so that it is computed, and anew.
// Inlined into functions for one kind of processor each, whose multiply-add it becomes.
template <typename Lanes>
[[gnu::always_inline]] inline float spin(float start) {
  Lanes sums[kSums];
  for (Lanes& sum : sums) sum = Lanes{} + start;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (Lanes& sum : sums) sum = sum * 0.999F + 1e-3F;
  }
  Lanes all{};
  for (const Lanes& sum : sums) all += sum;
  return all[0];
}

[[gnu::target("avx512f"), gnu::noinline]] float spinWide(float start) { return spin<Wide>(start); }
[[gnu::target("avx2,fma"), gnu::noinline]] float spinNarrow(float start) { return spin<Narrow>(start); }

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
  return 2.0 * static_cast<double>((wide ? sizeof(Wide) : sizeof(Narrow)) / sizeof(float)) * kSums * kTurns /
         best_s;
}

}  // namespace ordo::lowering
