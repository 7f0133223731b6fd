// How Ordo runs somebody's program, be it to time it or to test it: confined, in a new folder.
#pragma once

#include <filesystem>

#include "sandbox/confined.h"
#include "support/error.h"

namespace ordo::sandbox {

// runConfined() in a new folder, which is removed afterwards with all that was written. Everything of
// `offered`
// ("" is nothing) can be read there under its own name, through links. `program.dir` is chosen here.
// Thread-safe.
Result<ConfinedRun> runInOwnFolder(ConfinedProgram program, const std::filesystem::path& offered);

}  // namespace ordo::sandbox
