// The whole pipelines that a search knows, as sequences: its seeds and the composites among its actions.
#pragma once

#include "search/evaluation/prefix_cache.h"
#include "search/searcher/context.h"

namespace ordo::search {

// Each once, the seeds first; without the empty sequence.
std::vector<Sequence> pipelines(const SearchContext& context);

}  // namespace ordo::search
