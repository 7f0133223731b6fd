#include "engine/symbols.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ordo::engine {
namespace {

std::uint64_t amount(const SymbolChange& change) {
  return std::max(change.before, change.after) - std::min(change.before, change.after);
}

// Bytes by name.
std::map<std::string, std::uint64_t> bytesOf(const Image& image) {
  std::map<std::string, std::uint64_t> bytes;
  std::uint64_t rest = 0;
  for (const ElfSection& section : image.sections) rest += section.bytes;
  for (const ElfSymbol& symbol : image.symbols) {
    // Symbols that overlap, as only assembler makes them, are counted as long as there is something left.
    const std::uint64_t own = std::min(symbol.bytes, rest);
    bytes[symbol.name] += own;
    rest -= own;
  }
  bytes[""] += rest;
  return bytes;
}

}  // namespace

std::vector<SymbolChange> changedSymbols(const Image& before, const Image& after) {
  std::map<std::string, SymbolChange> changes;
  for (const auto& [name, bytes] : bytesOf(before)) changes[name] = {name, bytes, 0};
  for (const auto& [name, bytes] : bytesOf(after)) {
    changes[name].name = name;
    changes[name].after = bytes;
  }
  std::vector<SymbolChange> result;
  for (auto& [name, change] : changes) {
    if (change.before != change.after) result.push_back(std::move(change));
  }
  std::ranges::sort(result, [](const SymbolChange& a, const SymbolChange& b) {
    return std::pair(amount(b), a.name) < std::pair(amount(a), b.name);
  });
  return result;
}

}  // namespace ordo::engine
