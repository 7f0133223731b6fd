// A copy of the compiler's process that carries out an order while the compiler makes its own code, so that
// the two can be compared: it has the module, the code generator's settings and all of LLVM already. It tells
// nobody but the drop-in compiler, and whatever becomes of it, nothing happens to the compiler.
//
// It does not get further through the compiler's program than to the end of the pipeline. There is a gate,
// which opens once the compiler itself is about to make an object: what comes of other commands (bitcode, a
// module for a link, assembly) would be written by both, into the same file.
#pragma once

#include <optional>
#include <string>

#include "recipe/order.h"
#include "support/error.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace ordo::plugin {

// As fork(): 0 in the copy, which does not come back from the end of its compilation, and its number in the
// compiler. Nothing where there can be no copy. REQUIRES: no other thread; the pipeline has the gate.
std::optional<int> startRival(llvm::Module& module);

// Whether this process is such a copy.
bool isRival();

// Of the copy: applies the order, and ends the process if that goes wrong.
void carryOutAsRival(llvm::Module& module, const recipe::Order& order);

// At the end of a pipeline: a copy waits there until it may go on, and ends where it may not.
void waitAtGate();

// Of the compiler, where code is about to be made: its copies go on, or end, that were started so far.
void openGates(bool to_object);

// Of the copy: hands its object over, or says why there is none, and ends the process.
[[noreturn]] void finishRival(const Result<std::string>& object);

}  // namespace ordo::plugin
