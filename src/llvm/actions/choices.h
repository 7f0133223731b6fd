// A sequence for each function (env/choices.h), as stock opt gives it: one run for each sequence, in their
// order, in which every other function is `optnone` (engine/stock.h has the commands).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "llvm/actions/pipeline.h"
#include "support/error.h"

namespace llvm {
class Module;
}

namespace ordo::actions {

// `sequences` as notation/function_sequence.h writes them; `functions` have the number of theirs, all others
// that of the first. The value says whether anything changed. kInvalidArgument if a sequence does not parse,
// or a function is `optnone` already: stock opt could not be told which those were. Nothing has changed then.
// REQUIRES: `runner` is of `module`, and has run nothing yet.
Result<bool> applyChoices(llvm::Module& module, PipelineRunner& runner,
                          const std::vector<std::string>& sequences,
                          const std::map<std::string, std::size_t>& functions);

}  // namespace ordo::actions
