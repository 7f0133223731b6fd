// Traps: actions that must not be applied to a program somebody cares about, for reasons that no
// small probe finds out. They are written down by people, in data/actions/traps.txt:
//
//   # kind pattern: reason
//   unsound lower-atomic: atomics become plain accesses, which breaks threads
//   crash attributor*: follows dangling pointers after other passes
//
// A pattern is an action name; a '*' at its end stands for any rest. The first that fits counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spaces/manifest.h"
#include "support/error.h"

namespace ordo::spaces {

struct TrapRule {
  std::string pattern;
  Trap trap;
};

// kCorrupt with the line.
Result<std::vector<TrapRule>> parseTraps(std::string_view text);

// Sets or clears the trap of every row. kNotFound for a rule that fits no row: the action it warns
// of was renamed, and would go unwarned.
Status applyTraps(const std::vector<TrapRule>& rules, Manifest& manifest);

}  // namespace ordo::spaces
