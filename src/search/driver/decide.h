// Decides single places of a program, such as its calls, in front of a sequence that won.
//
// A decision is an action that has to come first, because places have their numbers in the program as given.
// Each way of deciding a place is tried against what is best so far, with all that comes after it as usual;
// what helps alone is then tried together, since gains at different places mostly add up.
#pragma once

#include <span>
#include <vector>

#include "search/searcher/context.h"

namespace ordo::search {

// The ways to decide one place; at most one of them is taken.
using Decisions = std::vector<env::ActionIndex>;

// Asks the context, whose best() is what it begins with and what it comes to, until all places were tried or
// the context is done. Promising places should come first.
void decide(SearchContext& context, std::span<const Decisions> places);

}  // namespace ordo::search
