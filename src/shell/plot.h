// A metric over the steps of an episode, drawn with characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/style.h"

namespace ordo::shell {

// A level to compare with: a name and a value.
using Reference = std::pair<std::string, double>;

// values[0] is before the first step. One bar for each; if they do not fit into the width, one for several
// steps, as high as after the last of them. The vertical axis need not begin at 0: its labels say where.
// REQUIRES: values is not empty, and all of them are finite.
std::string plot(std::string_view title, const std::vector<double>& values,
                 const std::optional<Reference>& reference, const Style& style);

}  // namespace ordo::shell
