// Catalogs: tables of what a folder's builtin/ holds, one entry for each file there. CMake writes `catalog()`
// of each (cmake/OrdoLibrary.cmake).
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace ordo {

// The entry of that name, or null.
template <typename Entry>
const Entry* findByName(std::span<const Entry* const> catalog, std::string_view name) {
  const auto found = std::ranges::find(catalog, name, &Entry::name);
  return found == catalog.end() ? nullptr : *found;
}

}  // namespace ordo
