// What a candidate is made by: a sequence of passes for each of its modules, as recipes of `ordo tune` have
// them. The store keeps them with the choices, so that a policy can learn from what production said of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/hash.h"

namespace ordo::loop {

// No candidate has more modules, no sequence more actions, and no name more bytes.
inline constexpr std::size_t kMostModules = 1000;
inline constexpr std::size_t kMostActions = 10'000;
inline constexpr std::size_t kMostNameBytes = 1000;

// Of one module.
struct Sequence {
  std::string source;    // of the program: a path or a URI that Ordo opens
  Hash128 program;       // of its IR before any action
  std::string baseline;  // whose level it was compiled at: "clang-O3"
  std::string version;   // of LLVM
  std::string space;     // of actions
  Hash128 space_hash;
  std::vector<std::string> actions;  // by name, in order

  bool operator==(const Sequence&) const = default;
};

// One line of JSON, the same for the same sequences. REQUIRES: check() has nothing against them.
std::string writeSequences(const std::vector<Sequence>& sequences);

// kCorrupt, with `where`, for what writeSequences() does not write, and for what check() refuses.
Result<std::vector<Sequence>> parseSequences(std::string_view text, std::string_view where);

// kCorrupt if there are none, too many, two of one source, of several spaces, baselines or versions, or names
// that are none.
Status check(const std::vector<Sequence>& sequences, std::string_view where);

}  // namespace ordo::loop
