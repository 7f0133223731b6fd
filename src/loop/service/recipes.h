// What the candidates of loop.toml are made by, from their recipes.
#pragma once

#include <map>
#include <string>

#include "loop/service/settings.h"
#include "loop/store/sequences.h"

namespace ordo::loop {

// By candidate, as the store keeps it (store/sequences.h); none if loop.toml names no recipes. Sources are as
// the recipes have them, and relative ones were to the folder of whoever tuned: they are kept as they are.
// kNotFound or kUnavailable for a file, kCorrupt or kUnsupported for one that is no recipe, is larger than a
// recipe can be, begins with a bare program, or does not go with the candidate's others.
Result<std::map<std::string, std::string>> sequencesOf(const Settings& settings);

}  // namespace ordo::loop
