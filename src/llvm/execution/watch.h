// Puts checks into a module, so that running it shows whether an input is one that C and LLVM define: every
// access to memory, every operation that can make poison, every call. A watched module is the reference that
// an optimised one is compared with: where it says nothing is wrong, the optimiser had no freedom.
//
// It is stricter than LLVM: poison counts where it is made, not where it is used. What cannot be checked
// (inline assembly, arithmetic that may be reassociated) ends the run.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace ordo::execution {

struct WatchedFunction {
  std::string name;
  std::size_t first_block = 0, blocks = 0;  // their numbers, for Machine::blocks()
};

// Changes `module`, whose calls then need callbacks of Machine. Every function with a body is watched.
std::vector<WatchedFunction> watch(llvm::Module& module);

}  // namespace ordo::execution
