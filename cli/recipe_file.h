// The recipe that a command was given.
#pragma once

#include <string>

#include "notation/codegen.h"
#include "recipe/recipe.h"
#include "support/error.h"
#include "support/files.h"

namespace ordo::cli {

// Reads and parses `path`, and if it is for LLVM the parts that only LLVM knows. Its source is where it lies,
// seen from here.
inline Result<recipe::Recipe> loadRecipe(const std::string& path) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  ORDO_TRY_ASSIGN(recipe::Recipe recipe, recipe::parse(text, path));
  if (recipe.backend == "llvm") {
    ORDO_TRY(notation::check(recipe.prepare, recipe.settings, path));
    ORDO_TRY(notation::check(recipe.actions, recipe.settings, path));
  }
  recipe.source = recipe::locateSource(recipe, path);
  return recipe;
}

}  // namespace ordo::cli
