// What the tools of LLVM say when they crash, as a message for somebody who did not write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ordo::frontend {

// The reason that a tool gives in `said`, its standard error, for crashing, and what it was doing, as one
// line without its stack; "" if it gives none. Nothing if there is no report of a crash.
std::optional<std::string> crashIn(std::string_view said);

}  // namespace ordo::frontend
