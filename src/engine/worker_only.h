// Backends that are a worker program and nothing else: it says itself what can be done and what results are
// compared with (env::BackendInfo::actions and baselines), a file is a program as it stands, a result is
// proved by making it anew in another worker, and it is handed over in the backend's own form.
#pragma once

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/input.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::engine {

// The program in `file`. `baseline` is the name of one of the backend's, "" its first. kNotFound or
// kUnavailable for the file; kInvalidArgument that suggests the nearest baseline; kUnsupported if the backend
// has none.
Result<Input> readProgram(const env::BackendInfo& info, std::string_view file, std::string_view baseline);

// The baseline of that name, "" the first. Errors as of readProgram().
Result<env::Action> ownBaseline(const env::BackendInfo& info, std::string_view name);

// All that the backend can do. kUnsupported if it says nothing.
Result<spaces::Space> wholeSpace(const env::BackendInfo& info);

}  // namespace ordo::engine
