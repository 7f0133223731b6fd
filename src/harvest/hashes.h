// The hashes of a whole harvest as one committed text file, and how another harvest differs from it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/harvest_store.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::harvest {

// By package, then by module.
using Hashes = std::map<std::string, std::map<std::string, Hash128>>;

// Packages without modules are not in it.
Hashes hashesOf(const std::vector<datasets::PackageRecord>& records);

// One line per package, one indented line per module, everything sorted:
//   zlib
//    94c4a634142b269c3c8be65d4550b8b2 adler32.c
std::string writeHashes(const Hashes& hashes);

// kCorrupt with the line if `text` is not what writeHashes() writes. `name` is for messages.
Result<Hashes> parseHashes(std::string_view text, std::string_view name);

struct HashDifference {
  std::string uri;  // debian/<package>/<module>
  enum class Kind { kMissing, kExtra, kDifferent } kind;
};

// What `got` lacks, has more, or has otherwise than `expected`, by URI, in the packages of `only`.
std::vector<HashDifference> compareHashes(const Hashes& expected, const Hashes& got,
                                          const std::set<std::string>& only);

}  // namespace ordo::harvest
