// The table at the end of a run over several programs.
#pragma once

#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace ordo::cli {

// One line per program and the mean change with its 95 % interval, against the baseline and against
// the bare one, for the objective; for run time against the baseline alone. The mean is over programs,
// unweighted; one without a result counts as no change, because its baseline is what its owner keeps. The
// interval is a percentile bootstrap over programs (Efron 1979), 2,000 resamples from a fixed seed.
std::string summaryTable(const std::vector<recipe::Recipe>& recipes, std::size_t failed);

}  // namespace ordo::cli
