#include "search/searcher.h"

namespace ordo::search {

#define ORDO_ENTRY(stem) extern const SearcherInfo stem;
#include "search/builtin.def"
#undef ORDO_ENTRY

std::span<const SearcherInfo* const> catalog() {
  static constexpr const SearcherInfo* kSearchers[] = {
#define ORDO_ENTRY(stem) &stem,
#include "search/builtin.def"
#undef ORDO_ENTRY
  };
  return kSearchers;
}

const SearcherInfo* find(std::string_view name) {
  for (const SearcherInfo* searcher : catalog()) {
    if (searcher->name == name) return searcher;
  }
  return nullptr;
}

}  // namespace ordo::search
