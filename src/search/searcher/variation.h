// Random changes of sequences, for searchers that vary what they have. All keep to maxLength() and
// accept any sequence, also an empty one.
#pragma once

#include "search/searcher/context.h"

namespace ordo::search {

// One small change: an action replaced, inserted or removed, or two swapped, each as likely.
Sequence neighbour(SearchContext& context, Sequence sequence);

// Each action replaced by a random one with `probability`.
Sequence mutated(SearchContext& context, Sequence sequence, double probability);

// `a` with a random part of it replaced by a random part of `b`. As often as not both parts reach to
// the end (one-point crossover), else they end anywhere (two-point). Lengths vary.
Sequence crossed(SearchContext& context, const Sequence& a, const Sequence& b);

// `a` up to a random place, and `b` from where the action at that place first occurs in it: what comes next
// keeps the company that made it useful. From anywhere in `b` if it does not occur.
Sequence crossedAtCommon(SearchContext& context, Sequence a, const Sequence& b);

// The place of a winner among `count` that stand in order, best first: the best of `size` drawn.
// REQUIRES: count > 0.
std::size_t tournament(Rng& rng, std::size_t count, std::size_t size);

}  // namespace ordo::search
