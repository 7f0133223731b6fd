// The decision tree that Compiler-R1 trains its model to follow, with a guess by the nearest neighbour in
// the model's place: try the guess; if it gains enough, that is the answer; else run the genetic
// search on the synergy graph with what is left of the budget. Every compile of that search counts.
//
// What it is for: to tell what a model adds to the tree it sits in, and what asking for the search only
// on demand saves and costs (docs/method.md, R5 and R26).
//
// Source: the trajectory template of Compiler-R1 (arXiv 2506.15701), whose threshold is 0.
#pragma once

#include <memory>

#include "search/searcher/searcher.h"

namespace ordo::search {

// Searches unless the guess gains more than `threshold` over the best seed, as a fraction of it. Without
// knowledge there is no guess, and it always searches.
std::unique_ptr<Searcher> decisionTree(double threshold);

// The same with a threshold for each program: what its five nearest neighbours gained, on average. A
// guess that gains less leaves something to be found.
std::unique_ptr<Searcher> decisionTreeByFeatures();

}  // namespace ordo::search
