// Alive2's alive-tv, which proves or refutes that a module refines another, where somebody has installed it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::frontend {

struct AliveReport {
  std::int64_t correct = 0;
  std::int64_t incorrect = 0;
  std::int64_t unknown = 0;  // not proved, not supported, no time
  std::string first;         // of what is incorrect, in Alive2's words
};

// Asks `alive-tv`, for at most so long. Nothing if there is no such program in PATH. kUnavailable with its
// words if it cannot read the modules, kDeadlineExceeded if it takes longer.
Result<std::optional<AliveReport>> askAlive(std::string_view original, std::string_view optimized,
                                            double seconds);

}  // namespace ordo::frontend
