// A program being optimised: what each action of a sequence does to it, what a policy would have done there,
// its code before and after, everything that could be done next, and a search from any state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recipe/recipe.h"
#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

struct ProgramSpec {
  std::string file;  // a path or a URI
  std::vector<std::string> flags = {};
  std::string objective = "text_bytes";
  std::string baseline = "clang-Oz";
  std::string space = {};  // "": what suits the objective
  std::string policy = "shipped";
  std::vector<std::string> actions = {};      // where to begin
  std::optional<recipe::Recipe> recipe = {};  // that it was opened from
};

// Compiles and measures the program. Errors as of agent::Host::open().
Result<std::unique_ptr<View>> openProgram(ProgramSpec spec);

// For a recipe, whose program is in `file` if that is not "". kUnsupported for one of a kernel of MLIR.
Result<ProgramSpec> specOf(recipe::Recipe recipe, const std::string& file);

}  // namespace ordo::web
