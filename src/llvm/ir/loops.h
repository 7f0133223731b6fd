// The innermost loops of a module and their numbers, by which decisions and observations name them.
#pragma once

#include <cstddef>
#include <functional>

namespace llvm {
class Loop;
class Module;
}  // namespace llvm

namespace ordo::ir {

// Calls `visit` with each innermost loop, in the order of their numbers, from 0, until it returns false:
// functions as the module has them, in each the loops as LoopInfo has them in preorder. So a number means the
// same loop in equal modules, and in no others. Analyses are made for it and are gone afterwards: no pass
// sees them. `visit` may change metadata only.
void visitInnermostLoops(llvm::Module& module,
                         const std::function<bool(std::size_t number, llvm::Loop&)>& visit);

}  // namespace ordo::ir
