// What plain `clang -Oz` would make of a file that is compiled with -Os: most of what a search gains there
// may be what the user gets by another letter, and then that should be said (`ordo stats`).
#pragma once

#include <optional>
#include <string_view>

#include "builds/cache.h"
#include "builds/target.h"
#include "builds/task.h"
#include "engine/engine.h"
#include "support/error.h"

namespace ordo::builds {

// Whether the question makes sense for `task`.
bool hasSizeAtOz(const Task& task);

// What clang's driver makes of the flags of `task` at -Oz; errors as of targetOf(). REQUIRES:
// hasSizeAtOz(task).
Result<Target> targetAtOz(Cache& cache, Task task, std::string_view compiler);

// Bytes of text of `bitcode`, a module before any pass, with what clang adds to it at -Oz and by the passes
// of -Oz. About as long as a compilation. `at_oz` is that of targetAtOz().
Result<double> textAtOz(engine::Engine& engine, Task task, const Target& at_oz, std::string_view bitcode);

// The same, of the module with the key `key` in the cache, from one build to the next.
Status storeTextAtOz(Cache& cache, std::string_view key, double bytes);
Result<std::optional<double>> findTextAtOz(Cache& cache, std::string_view key);

}  // namespace ordo::builds
