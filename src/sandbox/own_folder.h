// How Ordo runs somebody's program, be it to time it or to test it: confined, in a new folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sandbox/confined.h"
#include "support/error.h"

namespace ordo::sandbox {

// A file that is wanted of what a run writes.
struct Wanted {
  std::string name;            // in its folder
  std::filesystem::path copy;  // not there afterwards if the run did not write one
};

// runConfined() in a new folder, which is removed afterwards with all that was written, but for what is
// wanted. Everything of `offered` ("" is nothing) can be read there under its own name, through links.
// `program.dir` is chosen here. Should somebody else end or stop it (ConfinedRun::disturbed()), it is run
// anew, twice at most: a signal to everybody in a service or a batch job says nothing of the program.
// Thread-safe.
Result<ConfinedRun> runInOwnFolder(const ConfinedProgram& program, const std::filesystem::path& offered,
                                   const std::optional<Wanted>& wanted = {});

}  // namespace ordo::sandbox
