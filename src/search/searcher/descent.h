// One descent of greedy search, by which both searchers of that name go.
#pragma once

#include "search/searcher/context.h"

namespace ordo::search {

// From `here`: tries every action behind it, goes where it is best, and ends when none improves, at the
// length limit or when the context is done. With probability `epsilon` a step goes to a random action
// instead, whether it improves or not, as long as it does not fail.
void descend(SearchContext& context, Evaluation here, double epsilon);

}  // namespace ordo::search
