// A kernel of MLIR as a recipe schedules it: its code and what it costs after each step.
#pragma once

#include <filesystem>
#include <memory>

#include "recipe/recipe.h"
#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

// What `ordo tune` measured on the way to the recipe in that file (docs/formats/candidates.md): of more than
// a thousand so many, evenly chosen, each as "number", "seconds", "time_ns" or null, "problem" and "steps".
// Null where no such file lies beside it, or it is of another result. kCorrupt if it is none.
Result<Json> readCandidates(const std::filesystem::path& file, const recipe::Recipe& recipe);

// Errors as of engine::startForKernels() and readKernel(). REQUIRES: the recipe's backend is "mlir".
Result<std::unique_ptr<View>> openKernel(recipe::Recipe recipe, Json candidates = nullptr);

}  // namespace ordo::web
