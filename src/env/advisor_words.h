// ORDO_ADVISORS as words: who advises, and how (docs/advisors.md). What each means is its reader's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::env {

inline constexpr const char* kAdvisorsVariable = "ORDO_ADVISORS";

// The words of `text`, between commas and white space; a word `@FILE` stands for those in that file, on lines
// of which `#` begins a comment. kInvalidArgument for such a word in a file, or as readFile().
Result<std::vector<std::string>> advisorWords(std::string_view text);

}  // namespace ordo::env
