// An observation as a person can take it in, and as JSON in full.
#pragma once

#include <string>

#include "shell/style.h"
#include "shell/workbench.h"
#include "support/json.h"

namespace ordo::shell {

// Vectors with the names of their elements, without zeros unless `all`; matrices and graphs in summary;
// text as it is, cut to style.lines; other bytes by their number.
std::string describe(const Observed& observed, bool all, const Style& style);

// {"name", "dtype", "shape", "values" (flat) or "text", "elements" if they have names}. Bytes that are not
// text have "bytes", their number, instead.
Json toJson(const Observed& observed);

// `text` without what is past style.lines, and a line that says so and names `option`.
std::string cut(std::string_view text, const Style& style, std::string_view option);

}  // namespace ordo::shell
