// A guess by the nearest neighbour, and a search only unless that gains more than the nearest neighbours did
// on average: decision_tree.h.
//
// Source: the trajectory template of Compiler-R1 (arXiv 2506.15701) with a threshold that features decide, as
//   its reviewers asked for.
// Parameters: five neighbours.
#include "search/catalog/decision_tree.h"

namespace ordo::search {

extern constinit const SearcherInfo tree_features{
    .name = "tree_features",
    .summary = "the nearest neighbour's sequence; graph_genetic unless it gains what neighbours did",
    .make = []() -> std::unique_ptr<Searcher> { return decisionTreeByFeatures(); }};

}  // namespace ordo::search
