// Policy-guided search that cannot adapt, because it hears what another sequence was worth: guided.h. Shows
// what adapting is worth.
//
// Source: our own.
// Parameters: none of its own.
#include "search/catalog/guided.h"

namespace ordo::search {

extern constinit const SearcherInfo policy_shuffled{
    .name = "policy_shuffled",
    .summary = "policy, but told of each sequence what another was worth: for ablations",
    .make = []() -> std::unique_ptr<Searcher> { return guidedSearch({.shuffled = true}); }};

}  // namespace ordo::search
