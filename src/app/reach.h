// Somewhere on the way: what a program becomes by some actions, in a session of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine.h"
#include "app/input.h"
#include "env/session.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::app {

// A state somewhere on the way, with what is wanted of it.
struct State {
  std::string bitcode;
  Hash128 hash;
  std::unique_ptr<env::Session> session;
};

// Applies `actions` to `program` in a fresh session. kInternal if one of them fails, because all of
// them worked before.
Result<State> reach(Engine& engine, const Input& input, std::string_view program,
                    const std::vector<env::Action>& actions);

// kInternal if it cannot be measured.
Result<double> measured(const State& state, std::string_view metric);

}  // namespace ordo::app
