#include "llvm/ir/loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

namespace ordo::ir {

void visitInnermostLoops(llvm::Module& module,
                         const std::function<bool(std::size_t number, llvm::Loop&)>& visit) {
  std::size_t number = 0;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (loop->isInnermost() && !visit(number++, *loop)) return;
    }
  }
}

}  // namespace ordo::ir
