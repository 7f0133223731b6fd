// The statistics of a report. Pure functions of their arguments; chance comes from a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ordo::report {

// One number per suite, program and run (seed). No level is empty, but for the first.
using Sample = std::vector<std::vector<std::vector<double>>>;

struct Interval {
  double low = 0, high = 0;
};

struct Estimate {
  double mean = 0;
  // Of 95 %. Nothing if it is not known: with one program in each suite, and one run of each or equal ones,
  // there is no chance to be seen, and that is not the same as none.
  std::optional<Interval> interval = {};
};

struct Bootstrap {
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

// The unweighted mean over suites of the means over their programs of the means over their runs; 0 of
// nothing.
double meanOfSuites(const Sample& sample);

// meanOfSuites() with a percentile bootstrap interval (Efron 1979): within each suite, programs are drawn
// with replacement, and of each drawn program its runs. Suites are not drawn: the interval is about these
// suites. Of more than 4000 runs fewer resamples are drawn, down to 200: 8 million runs in all. One of a
// single program with a single run contributes no width; if all are so, there is no
// interval.
Estimate estimate(const Sample& sample, const Bootstrap& bootstrap = {});

struct Comparison {
  Estimate difference;  // of the means, a less b
  // Two-sided: twice the smaller share of resamples on one side of zero. Nothing where there is no interval.
  std::optional<double> p = {};
};

// The same for the difference between two methods on the same programs: each resample draws programs
// once for both, and runs for each. REQUIRES: equal numbers of suites and of programs in each.
Comparison compare(const Sample& a, const Sample& b, const Bootstrap& bootstrap = {});

// The value below which a share `q` of `sorted` lies, interpolated linearly between neighbours (type 7 of
// Hyndman and Fan 1996, NumPy's default). REQUIRES: not empty, 0 <= q <= 1.
double quantile(std::span<const double> sorted, double q);

}  // namespace ordo::report
