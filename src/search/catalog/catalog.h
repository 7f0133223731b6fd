// All searchers. One file in builtin/ is one searcher; the table is generated
// (docs/recipes/add-a-searcher.md).
#pragma once

#include <span>
#include <string_view>

#include "search/searcher/searcher.h"

namespace ordo::search {

// By name.
std::span<const SearcherInfo* const> catalog();

// Null if there is none of that name.
const SearcherInfo* find(std::string_view name);

}  // namespace ordo::search
