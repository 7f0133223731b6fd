// A recipe followed again, and shown to be right with stock tools.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/tests.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "recipe/recipe.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::engine {

// `prepare` and `actions`.
std::vector<env::Action> allActions(const recipe::Recipe& recipe);

// The result of `recipe` on `input`, with the hash of its IR. kUnsupported if the recipe is for
// another LLVM, kInvalidArgument if `input` is not the program the recipe was made for.
struct Replayed {
  std::string bitcode;
  Hash128 hash;
};
Result<Replayed> replay(Engine& engine, const Input& input, const recipe::Recipe& recipe);

// Shows that stock opt-22 makes the same IR of `input` as `recipe` says. The value says how;
// kCorrupt (with both hashes) if it does not.
Result<std::string> verifyWithStock(Engine& engine, const Input& input, const recipe::Recipe& recipe);

// `bitcode` as text.
Result<std::string> textualIr(Engine& engine, const Input& input, std::string_view bitcode);

// Runs the program's tests on `object`; nothing if it has none.
Result<std::optional<datasets::TestReport>> testObject(const Input& input, std::string_view object);

}  // namespace ordo::engine
