// A copy of the compiler's process that carries out an order while the compiler makes its own code, so that
// the two can be compared: it has the module, the code generator's settings and all of LLVM already. It tells
// nobody but the drop-in compiler, and whatever becomes of it, nothing happens to the compiler.
#pragma once

#include <string>

#include "recipe/order.h"
#include "support/error.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace ordo::plugin {

// Whether this is the copy from here on; it does not come back from the end of its compilation. Never in the
// compiler itself, also where there can be no copy. REQUIRES: no other thread.
bool startRival(llvm::Module& module);

// Whether this process is such a copy.
bool isRival();

// Of the copy: applies the order, and ends the process if that goes wrong.
void carryOutAsRival(llvm::Module& module, const recipe::Order& order);

// Of the copy: hands its object over, or says why there is none, and ends the process.
[[noreturn]] void finishRival(const Result<std::string>& object);

}  // namespace ordo::plugin
