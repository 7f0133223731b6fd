// Which single calls of a program a search for a metric decides.
#pragma once

#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "search/driver/decide.h"
#include "support/error.h"

namespace ordo::tune {

// Whether it bears on `objective` what is inlined, and the backend knows of calls.
bool decidesCalls(const env::BackendInfo& backend, std::string_view objective);

// Adds to `spec` what may pay about each call of its program: that it is inlined, or that it is not. Each is
// a decision of its own, what promises most first; none where there are no such calls.
Result<std::vector<search::Decisions>> addCalls(engine::Engine& engine, const engine::Input& input,
                                                env::SessionSpec& spec);

}  // namespace ordo::tune
