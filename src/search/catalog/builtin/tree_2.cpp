// A guess by the nearest neighbour, and a search only unless that gains more than 2 %: decision_tree.h.
//
// Source: the trajectory template of Compiler-R1 (arXiv 2506.15701); the threshold is a reviewer's question.
// Parameters: the threshold, 2 %.
#include "search/catalog/decision_tree.h"

namespace ordo::search {

extern constinit const SearcherInfo tree_2{
    .name = "tree_2",
    .summary = "the nearest neighbour's sequence; graph_genetic unless it gains more than 2 %",
    .make = []() -> std::unique_ptr<Searcher> { return decisionTree(0.02); }};

}  // namespace ordo::search
