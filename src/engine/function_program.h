// One function of a program as a program by itself, for an episode of its own: calls are inlined first, and
// then all else is declared. Its URI is PROGRAM#FUNCTION, with the name that the linker sees.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "env/session.h"
#include "support/error.h"

namespace ordo::engine {

struct FunctionUri {
  std::string program, function;
};

// Nothing for a URI without a function, and for a file that is called so.
std::optional<FunctionUri> functionUri(std::string_view uri);

// What functions are taken from: `program`, without actions, in which calls are inlined as before choices by
// function (tune/by_function.h). kUnsupported if that fails on it.
Result<std::string> inlinedProgram(Engine& engine, env::SessionSpec program);

// What the observation function_names says: of each function with a body its name, "" where it has none.
std::vector<std::string> namesIn(std::string_view function_names);

// The names of the functions of such a program, in its order.
Result<std::vector<std::string>> functionNames(Engine& engine, env::SessionSpec inlined);

}  // namespace ordo::engine
