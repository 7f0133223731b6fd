// A kernel of MLIR as a recipe schedules it: its code and what it costs after each step.
#pragma once

#include <memory>

#include "recipe/recipe.h"
#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

// Errors as of engine::startForKernels() and readKernel(). REQUIRES: the recipe's backend is "mlir".
Result<std::unique_ptr<View>> openKernel(recipe::Recipe recipe);

}  // namespace ordo::web
