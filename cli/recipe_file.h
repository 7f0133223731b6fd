// The recipe that a command was given.
#pragma once

#include <string>

#include "recipe/recipe.h"
#include "support/error.h"
#include "support/files.h"

namespace ordo::cli {

// Reads and parses `path`.
inline Result<recipe::Recipe> loadRecipe(const std::string& path) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  return recipe::parse(text, path);
}

}  // namespace ordo::cli
