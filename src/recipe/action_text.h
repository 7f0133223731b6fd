// Actions as JSON: the form they have in recipes, in the cache of builds and on the way to the plugin.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/json.h"

namespace ordo::recipe {

// A list of objects with name, kind and text.
Json toJson(const std::vector<env::Action>& actions);

// The field `key` of `object`, as toJson() makes it. kCorrupt names what is wrong.
Result<std::vector<env::Action>> actionsFrom(const JsonObject& object, std::string_view key);

// What a backend says about the making of code (env::SessionSpec::settings) is an object of its own fields,
// which stand beside those of `object` that are named here: addSettings() puts them there, settingsFrom()
// reads them. Nobody but the backend knows whether they are right; kCorrupt if they
// are nested, or have the name of a field that they could be put in place of. REQUIRES: `settings` are such
// an object, or "".
void addSettings(Json& object, const std::string& settings);
Result<std::string> settingsFrom(const JsonObject& object, std::initializer_list<std::string_view> others);

}  // namespace ordo::recipe
