// The user's clang flags, checked: what compiles, what the baseline decides, what cannot be tuned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::frontend {

struct Flags {
  std::vector<std::string> kept;   // for every compilation, and for linking
  std::vector<std::string> link;   // for linking only: -lm, -Wl,...; clang -c would warn about them
  std::vector<std::string> notes;  // what was left out and why, one sentence each, for the user
};

// Leaves out what Ordo decides itself (-c, -S, -o, -emit-llvm; -O* with a note, for the baseline's
// level rules) and what would write files elsewhere (-MD, -save-temps). kInvalidArgument for a
// second input, an -x other than `language`, and link-time optimisation; kUnsupported for what an
// optimisation pass must put in (profiling, most sanitizers): a search could leave that pass out.
Result<Flags> checkFlags(const std::vector<std::string>& flags, std::string_view language);

}  // namespace ordo::frontend
