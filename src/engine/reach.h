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
  std::vector<env::Action> finish = {};  // what reach() put behind the actions that it was given
};

// A fresh session in which `actions` were applied to `program`. It may be halfway: calls that must be inlined
// may still be there, so that there is nothing to compile yet. kInternal if an action fails, because all of
// them worked before.
Result<std::unique_ptr<env::Session>> walk(Engine& engine, const Input& input, std::string_view program,
                                           const std::vector<env::Action>& actions);

// The same as a state, to go on from. kInternal if it is not valid.
Result<State> halfway(Engine& engine, const Input& input, std::string_view program,
                      const std::vector<env::Action>& actions);

// A state that can be compiled: where `actions` end halfway, with what finishes them behind.
Result<State> reach(Engine& engine, const Input& input, std::string_view program,
                    const std::vector<env::Action>& actions);

// `actions` with what finishes them.
Result<std::vector<env::Action>> finished(Engine& engine, const Input& input, std::string_view program,
                                          std::vector<env::Action> actions);

// `bitcode`, of whatever state, so that it can be compiled. `name` is for messages.
Result<std::string> compilable(Engine& engine, std::string_view name, std::string_view bitcode);

// `objective` is a metric, or several (env/preference.h). kInternal if it cannot be measured.
Result<double> measured(const State& state, std::string_view objective);

}  // namespace ordo::engine
