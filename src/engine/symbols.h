// What grew and what shrank, by symbol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/image.h"

namespace ordo::engine {

struct SymbolChange {
  std::string name;  // "" for all that lies in no symbol: tables of strings, padding, unwind tables
  std::uint64_t before = 0, after = 0;
};

// Symbols that have another size in `after`, or are in one of the two alone, the largest change first. Those
// of one name, as static functions may be, are one. Sizes add up to those of all sections.
std::vector<SymbolChange> changedSymbols(const Image& before, const Image& after);

}  // namespace ordo::engine
