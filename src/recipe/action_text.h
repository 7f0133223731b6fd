// Actions as JSON: the form they have in recipes, in the cache of builds and on the way to the plugin.
#pragma once

#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/json.h"

namespace ordo::recipe {

// A list of objects with name, kind and text.
Json toJson(const std::vector<env::Action>& actions);

// The field `key` of `object`, as toJson() makes it. kCorrupt names what is wrong.
Result<std::vector<env::Action>> actionsFrom(const JsonObject& object, std::string_view key);

// The five fields of a code generator's settings, and what they were read from.
Json toJson(const env::CodegenOptions& codegen);
Result<env::CodegenOptions> codegenFrom(const JsonObject& object);

}  // namespace ordo::recipe
