// What a compiler says about a module after its front end.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace ordo::ir {

// Why the passes or the code generator may report something about the module that depends on what they make
// of it, or ""; the passes' remarks aside. Such reports are a promise of the compiler's own pipeline: stack
// frames that are too large (-Wframe-larger-than), calls that remain of functions which are marked so
// (__attribute__((warning, error))), loops that could not be done as a pragma asks for.
std::string mayBeSpokenOf(const llvm::Module& module);

}  // namespace ordo::ir
