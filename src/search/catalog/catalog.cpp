#include "search/catalog/catalog.h"

#include "support/catalog.h"

namespace ordo::search {

using CatalogEntry = SearcherInfo;
#include "search/catalog/catalog.inc"

const SearcherInfo* find(std::string_view name) { return findByName(catalog(), name); }

}  // namespace ordo::search
