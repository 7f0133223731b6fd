// What a learned policy answers at once, without measuring and searching: guided.h.
//
// Source: our own.
// Parameters: none.
#include "search/catalog/guided.h"

namespace ordo::search {

extern constinit const SearcherInfo policy_answer{
    .name = "policy_answer",
    .summary = "what a learned policy answers at once, no search",
    .make = []() -> std::unique_ptr<Searcher> { return ownAnswer(); },
    .finite = true};

}  // namespace ordo::search
