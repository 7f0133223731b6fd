// A recipe gone through again, pass by pass: what each left of the program, and what a policy makes of each.
// The policy need not have had a part in finding the recipe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "recipe/recipe.h"
#include "spaces/space.h"
#include "support/error.h"
#include "support/hash.h"
#include "tune/critic.h"

namespace ordo::tune {

struct Retraced {
  // A state of the program, and what was done there.
  struct State {
    double instructions = 0;
    // Of the recipe's next action, or of stopping after the last; nothing for an action that the policy does
    // not know, or without a policy.
    std::optional<Opinion> opinion = {};
  };

  std::vector<State> states;  // before each action of the recipe and at its end: one more than there are
  std::string policy;         // its file, without folders; "" if there is none
  Hash128 policy_hash = {};   // of that file
  std::string no_policy;      // why there is none though one was asked for
  ErrorCode no_policy_code = ErrorCode::kInternal;  // what kind of error that would be
};

// Applies `recipe` to `input`, one action at a time, and asks the policy in the file `policy`, "" for none,
// and none about env::kRuntime. Its preferences are those it was trained to, without what a search may
// have added to them. A policy that does not fit is no error; all others are those of replay().
Result<Retraced> retrace(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                         const recipe::Recipe& recipe, const std::string& policy);

// The same for the space that the recipe names.
Result<Retraced> retrace(engine::Engine& engine, const engine::Input& input, const recipe::Recipe& recipe,
                         const std::string& policy);

// The factor of a clue in a few characters: "x4.2", "x0.31".
std::string oddsFactor(double log_odds);

}  // namespace ordo::tune
