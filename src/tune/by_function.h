// What a search found for a whole program, and behind it a sequence for each function (search/driver/function_search.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/choices.h"
#include "env/session.h"
#include "search/driver/function_search.h"
#include "search/evaluation/evaluation.h"
#include "support/error.h"

namespace ordo::tune {

// Whether choices can be measured for `objective`: bytes and instructions of functions.
bool choosesByFunction(const env::BackendInfo& backend, const std::string& objective);

// Sequences of functions to try first, from what is known of whole programs: attributes, what the sequences of
// `coreset` do to functions, and each single action of `actions` on functions.
std::vector<std::string> functionSequences(std::span<const env::Action> actions,
                                           std::span<const search::Sequence> coreset);

struct ByFunction {
  env::Choices choices;  // none: nothing was better than none
  double before = 0, after = 0;  // of the objective, of the whole program
  std::size_t emissions = 0;
  std::vector<std::pair<std::string, double>> saved = {};  // by function, most first
};

struct ByFunctionOptions {
  std::string objective;
  std::vector<std::string> sequences;
  std::uint64_t seed = 1;
  std::function<bool()> done;  // asked before each emission
};

// Choices for `program`, the bitcode of a state, until `done` or until nothing promises anything. What is not better for
// the whole program is none. kNotFound if the backend's programs have no functions.
Result<ByFunction> chooseByFunction(engine::Engine& engine, const engine::Input& input, const std::string& program,
                                    const ByFunctionOptions& options);

}  // namespace ordo::tune
