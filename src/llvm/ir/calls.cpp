#include "llvm/ir/calls.h"

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ordo::ir {
namespace {

// How hot the blocks of a function are.
class Heat {
 public:
  explicit Heat(llvm::Function& function)
      : dominators_(function),
        loops_(dominators_),
        probabilities_(function, loops_),
        frequencies_(function, probabilities_, loops_) {}

  void describe(CallSite& site) const {
    const llvm::BasicBlock* block = site.call->getParent();
    site.depth = loops_.getLoopDepth(block);
    site.count = frequencies_.getBlockProfileCount(block);
  }

 private:
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::BranchProbabilityInfo probabilities_;
  llvm::BlockFrequencyInfo frequencies_;
};

bool canBeInlined(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && !callee->isDeclaration();
}

}  // namespace

void visitCalls(llvm::Module& module, bool with_heat, const std::function<bool(const CallSite&)>& visit) {
  CallSite site;
  for (llvm::Function& function : module) {
    std::optional<Heat> heat;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        site.call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (site.call == nullptr || !canBeInlined(*site.call)) continue;
        if (with_heat) {
          if (!heat) heat.emplace(function);
          heat->describe(site);
        }
        if (!visit(site)) return;
        ++site.number;
      }
    }
  }
}

}  // namespace ordo::ir
