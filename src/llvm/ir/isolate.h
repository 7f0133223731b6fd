// Parts of a module by themselves.
#pragma once

#include <span>
#include <string_view>

#include "llvm/ir/module.h"

namespace ordo::ir {

// Whether functions can be emitted alone at all. Debug information would be copied into each.
bool separable(const llvm::Module& module);

// The module with the bodies of `functions` alone: all else is declared, so that their code is what
// it is in the whole module and nothing else is emitted.
// `bitcode` as written by writeExactBitcode(); other bodies are not even read.
// kUnsupported if a part of the module cannot do without a body (ifuncs, addresses of blocks).
Result<OwnedModule> isolateFunctions(std::string_view bitcode, std::span<const std::string_view> functions);

// The globals without any body, behind `behind` bytes of the section .rodata, where functions put
// their jump tables.
Result<OwnedModule> isolateGlobals(std::string_view bitcode, std::size_t behind);

}  // namespace ordo::ir
