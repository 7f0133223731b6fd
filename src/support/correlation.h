// How alike two series are.
#pragma once

#include <span>

namespace ordo {

// Pearson's correlation; 0 where it is not defined. REQUIRES: equal lengths.
double pearson(std::span<const double> x, std::span<const double> y);

// Spearman's: Pearson's of the ranks, equal values sharing the mean of theirs.
double spearman(std::span<const double> x, std::span<const double> y);

}  // namespace ordo
