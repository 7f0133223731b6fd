// Who advises clang in a build (ORDO_ADVISORS, docs/advisors.md).
#pragma once

#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::builds {

// What an object depends on by `text`, the value of the variable: its words, and the content of the weights
// that they name. "" where nobody advises. kNotFound names the word that is neither weights nor anything that
// the plugin knows; else as readFile().
Result<std::string> adviceOf(std::string_view text);

}  // namespace ordo::builds
