// What a module is compiled with when there is no time to search, remembered: to make it out of the data that
// comes with Ordo takes as long as a small compilation.
#pragma once

#include <string>
#include <string_view>

#include "builds/cache.h"
#include "builds/target.h"
#include "builds/task.h"
#include "support/error.h"

namespace ordo::builds {

// recipe::writeOrder() of what is tried first for programs of `kind` (tune::firstAnswer()), or "" if that is
// nothing. `compiler` as for targetOf(). Data of another Ordo has another answer.
Result<std::string> firstAnswer(Cache& cache, const Task& task, const Target& target,
                                std::string_view compiler, std::string_view kind);

}  // namespace ordo::builds
