// Policy-guided search: guided.h.
//
// Source: our own.
// Parameters: none of its own.
#include "search/catalog/guided.h"

namespace ordo::search {

extern constinit const SearcherInfo policy{
    .name = "policy",
    .summary = "a learned policy proposes, measures and adapts; the default",
    .make = []() -> std::unique_ptr<Searcher> { return guidedSearch(); }};

}  // namespace ordo::search
