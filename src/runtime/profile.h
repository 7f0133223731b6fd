// What a run of a program says of it, as an action on its module: `-fprofile-use` without a file beside.
#pragma once

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "runtime/built_field.h"
#include "support/error.h"

namespace ordo::runtime {

// Counts which way branches go in a run of `program`, on the bench's first input, and makes an action of that
// (llvm/actions/profile_hint.h), for the program as given. kUnsupported, with why, if that fails on this
// program: it is killed or linked in a way of its own, so that it leaves no counts, or they are too many for
// a command line. kNotFound if a tool is not installed. REQUIRES: a prepared bench, without candidates.
Result<env::Action> profileAction(engine::Engine& engine, const engine::Input& input,
                                  std::string_view program, BuiltField& bench);

}  // namespace ordo::runtime
