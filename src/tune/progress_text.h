// The progress line of a search.
#pragma once

#include <string>

#include "search/evaluation/budget.h"
#include "search/evaluation/evaluator.h"

namespace ordo::tune {

// What is left of `budget` after `seconds`: "12 s left"; where no seconds are asked for "1 200 sequences
// left";
// "" where nothing of that is.
std::string leftText(const search::Budget& budget, const search::Statistics& statistics, double seconds);

// What is being done, the best so far over `baseline` (0: not known yet), how fast, and `left`.
std::string progressText(const std::string& name, const std::string& phase, double baseline,
                         const search::Statistics& statistics, const std::string& left);

}  // namespace ordo::tune
