// Which training programs are most like the one at hand.
#pragma once

#include <vector>

#include "search/knowledge/knowledge.h"

namespace ordo::search {

// Indices into the examples, the most similar first; among equals in their order. Similar is near in
// features, each in units of its own standard deviation over the examples (one that never varies says
// nothing). Empty if nothing is known of the program at hand.
std::vector<std::size_t> neighboursOf(const Knowledge& knowledge);

}  // namespace ordo::search
