// Policy-guided search that goes on from any state, whatever the policy expects of it: guided.h. Shows what
// the value head is worth.
//
// Source: our own.
// Parameters: none of its own.
#include "search/catalog/guided.h"

namespace ordo::search {

extern constinit const SearcherInfo policy_unbounded{
    .name = "policy_unbounded",
    .summary = "policy, but blind to what the policy expects to gain: for ablations",
    .make = []() -> std::unique_ptr<Searcher> { return guidedSearch({.unbounded = true}); }};

}  // namespace ordo::search
