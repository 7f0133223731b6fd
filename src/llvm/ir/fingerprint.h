// What the code of each function depends on, as a hash: two functions with the same fingerprint, in
// any two states of one program, get the same code when each is compiled alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/hash.h"

namespace llvm {
class Module;
}

namespace ordo::ir {

struct FunctionFingerprint {
  std::string name;
  Hash128 hash;
  std::size_t instructions = 0;
  std::uint64_t align = 1;  // of its code, on x86-64
};

struct ModuleFingerprint {
  std::vector<FunctionFingerprint> functions;  // those with a body that is emitted, in the module's order
  Hash128 globals;                             // of everything but the bodies of functions
};

// The hash of a function covers its text with the order of its use lists and, through all
// references, what it names: attributes, metadata, types, initialisers of globals, declarations of
// what it calls, but no other function's body. Numbers that LLVM gives to attributes and metadata do
// not count. Costs about as much as printing the module.
ModuleFingerprint fingerprint(const llvm::Module& module);

}  // namespace ordo::ir
