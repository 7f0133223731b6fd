// Removes what does not matter from a sequence that won.
#pragma once

#include "search/evaluation/evaluator.h"

namespace ordo::search {

// A sequence that is part of `winner` and at least as good, as short as could be found before the
// evaluator was done: if it was not, every single action left matters. REQUIRES: winner.measured().
Evaluation minimize(Evaluator& evaluator, const Evaluation& winner);

}  // namespace ordo::search
