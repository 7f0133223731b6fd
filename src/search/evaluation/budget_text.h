// Budgets as people write them.
#pragma once

#include <string_view>

#include "search/evaluation/budget.h"
#include "support/error.h"

namespace ordo::search {

// A comma-separated list of limits: "10s", "500ms", "2m", "1.5h" in time, "2000evals" in whole
// sequences, "50000passes" in passes applied; a bare number is seconds. The first that is reached
// ends a search. kInvalidArgument with the remedy, also for a limit of nothing.
Result<Budget> parseBudget(std::string_view text);

}  // namespace ordo::search
