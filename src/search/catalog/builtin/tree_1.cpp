// A guess by the nearest neighbour, and a search only unless that gains more than 1 %: decision_tree.h.
//
// Source: the trajectory template of Compiler-R1 (arXiv 2506.15701); the threshold is a reviewer's question.
// Parameters: the threshold, 1 %.
#include "search/catalog/decision_tree.h"

namespace ordo::search {

extern constinit const SearcherInfo tree_1{
    .name = "tree_1",
    .summary = "the nearest neighbour's sequence; graph_genetic unless it gains more than 1 %",
    .make = []() -> std::unique_ptr<Searcher> { return decisionTree(0.01); }};

}  // namespace ordo::search
