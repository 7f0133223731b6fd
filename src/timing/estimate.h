// What a series of paired log-ratios says: a centre that outliers do not move, and how far the truth may be
// from it. Pure functions; chance comes from a seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ordo::timing {

// A trimmed mean: a fifth of the values at each end is left out.
struct Centre {
  double mean = 0;
  // Of the mean: √(SSD / (h (h - 1))), SSD being the sum of squared deviations of the Winsorised values and h
  // the number of values that were not left out (Tukey and McLaughlin, Sankhyā A 25, 1963). Times
  // √((1 + ρ) / (1 - ρ)) if neighbours are alike: ρ, at most 0.8, is the correlation of each Winsorised value
  // with the next (Bayley and Hammersley, Suppl. JRSS 8, 1946), and counts where it is more than chance makes
  // of it, 1.28 / √n.
  double error = 0;
  double df = 0;           // of Student's distribution for it: h - 1
  double correlation = 0;  // ρ as measured
};

// REQUIRES: at least kFewest values.
Centre centre(std::span<const double> values);
inline constexpr std::size_t kFewest = 8;

struct Bootstrap {
  std::size_t resamples = 4000;
  std::uint64_t seed = 1;
};

// For which c centre ± c · error is an interval that misses the truth with probability `level` on each side:
// the greater of two. One is the symmetric bootstrap-t, the quantile of |centre* - centre| / error* over
// resamples (Efron 1982; for trimmed means Wilcox, Introduction to Robust Estimation, 4.4), which learns the
// shape of the tails but sees no level below 5 / resamples, and is held at that. The other is Student's,
// which goes as far out as is asked. Plain percentile and BCa intervals are too short below 50 values.
class CriticalValues {
 public:
  // REQUIRES: as centre().
  CriticalValues(std::span<const double> values, const Bootstrap& bootstrap);
  // REQUIRES: 0 < level <= 1/2.
  double at(double level) const;

 private:
  double df_;
  std::size_t resamples_;
  std::vector<double> distances_;  // in order
};

// p-values adjusted for there being several (Holm, Scand. J. Stat. 6, 1979), in the order given.
std::vector<double> holm(std::span<const double> p);

// REQUIRES: not empty.
double median(std::vector<double> values);

}  // namespace ordo::timing
