// Which of several changes breaks something.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "support/error.h"

namespace ordo::projects {

// Whether all is well with these of the changes and without the others.
using Works = std::function<Result<bool>(const std::vector<std::size_t>& changes)>;

// The one of `count` changes without which all is well again, by halving: about log2(count) + 1 questions.
// Nothing if there is no such single one. REQUIRES: all together do not work, none does.
Result<std::optional<std::size_t>> blame(std::size_t count, const Works& works);

}  // namespace ordo::projects
