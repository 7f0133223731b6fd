// Somewhere on the way: what a program becomes by some actions, in a session of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::engine {

// A state somewhere on the way, with what is wanted of it.
struct State {
  std::string bitcode;  // the program, in the form of its backend
  Hash128 hash;
  std::unique_ptr<env::Session> session;
};

// A fresh session in which `actions` were applied to `program`. It may be halfway: calls that must be inlined
// may still be there, so that there is nothing to compile yet. kInternal if an action fails, because all of
// them worked before.
Result<std::unique_ptr<env::Session>> walk(Engine& engine, const Input& input, std::string_view program,
                                           const std::vector<env::Action>& actions);

// The same for a state that can be compiled; kInternal if it cannot.
Result<State> reach(Engine& engine, const Input& input, std::string_view program,
                    const std::vector<env::Action>& actions);

// `objective` is a metric, or several (env/preference.h). kInternal if it cannot be measured.
Result<double> measured(const State& state, std::string_view objective);

}  // namespace ordo::engine
