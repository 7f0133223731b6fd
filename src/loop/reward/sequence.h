// Intervals that hold at every look. Whoever looks at a 95 % interval after each window sees a difference
// between equal programs in a third of all cases, and in most if windows resemble their neighbours; this may
// be looked at as often as one likes (docs/adr/0021-loop-statistics.md).
//
//   batches      neighbouring windows together, about the root of their number of them in each, so that what
//                is left of one in the next fades as windows come in
//   what is left lag-one correlation of the batches, taken a standard error higher than it looks, makes them
//                count for fewer
//   interval     the t-test's mixture over effects: of the normal mean with unknown variance, exact for any
//                number of batches (Gönen et al., The American Statistician 59, 2005; anytime-valid by
//                Wang and Ramdas, arXiv 2310.03722)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ordo::loop {

struct Bounds {
  double value = 0, low = 0, high = 0;
};

// Consecutive values in batches, each the mean of its values; what does not fill one is left out, the oldest
// first.
std::vector<double> batchMeans(std::span<const double> values, std::size_t size);

// The number of values in a batch: a power of two near the root of `count`, or half of that where it would
// leave too few batches to tell anything by.
std::size_t batchSize(std::size_t count);

// Of lag one, corrected for the small number of values, which makes it look lower; 0 if it is negative.
double autocorrelation(std::span<const double> values);

// The mean of what `values` come from, in the order they came. Over all looks together, the truth is ever
// outside with a chance of `alpha` at most, half on each side. `least_deviation` is how much a batch is known
// to vary at least, whatever it looks like. Nothing while there are too few.
std::optional<Bounds> sequence(std::span<const double> values, double alpha, double least_deviation);

// The fewest values that sequence() can tell anything from, if no two resemble each other.
std::size_t fewestValues(double alpha);

// How much counts speak for `one` happening more often than `other`, where both ought to as often: the
// logarithm of a Bayes factor, a mixture over all chances, that by chance ever reaches log(1 / alpha) with a
// probability of at most alpha (Ville; Robbins, Ann. Math. Stat. 41, 1970). 0 if `one` is not the more
// frequent.
double evidence(std::uint64_t one, std::uint64_t other);

// A standard error of the mean of `values` by the circular block bootstrap (Politis and Romano, 1992), with
// blocks of batchSize(). REQUIRES: values is not empty.
double bootstrapError(std::span<const double> values, std::uint64_t seed);

// Without the lowest and the highest fifth. REQUIRES: values is not empty.
double trimmedMean(std::vector<double> values);

}  // namespace ordo::loop
