// The passes of a recipe with all that is known of them: what each saves, what it left, and what the policy
// made of it.
#pragma once

#include <string>

#include "recipe/recipe.h"
#include "support/json.h"
#include "tune/retrace.h"

namespace ordo::cli {

// Lines of at most 100 columns. `retraced` may be null: then only what the recipe says is there. What passes
// save is left out where nothing is known of any, and what a policy makes of them without `opinions`.
std::string passTable(const recipe::Recipe& recipe, const tune::Retraced* retraced, bool opinions);

// {"policy": {"file", "hash"} or null, "states": [{"instructions", "action", "saves", "opinion"}]}: one state
// for each action, and the end, whose opinion is of stopping.
Json passesJson(const recipe::Recipe& recipe, const tune::Retraced& retraced);

}  // namespace ordo::cli
