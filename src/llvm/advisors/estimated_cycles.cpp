// The cost of a function is known when those of its callees are: depth first, each function once. A call back
// into a function whose cost is being found, recursion, costs the call alone.
#include "llvm/advisors/estimated_cycles.h"

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace ordo::advisors {
namespace {

// LLVM's guesses multiply; a nest of loops is not more than this to one entry.
constexpr double kMostFrequent = 1e6;

class Estimator {
 public:
  explicit Estimator(llvm::TargetMachine& machine) : machine_(machine) {}

  double cyclesOf(llvm::Function& function) {
    const auto [known, is_new] = cycles_.try_emplace(&function, std::nullopt);
    if (!is_new) return known->second.value_or(0);
    const double cycles = sum(function);
    cycles_[&function] = cycles;
    return cycles;
  }

 private:
  double sum(llvm::Function& function) {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    const llvm::BranchProbabilityInfo probabilities(function, loops);
    const llvm::BlockFrequencyInfo frequencies(function, probabilities, loops);
    const llvm::TargetTransformInfo costs = machine_.getTargetTransformInfo(function);
    const auto entry =
        static_cast<double>(std::max<std::uint64_t>(frequencies.getEntryFreq().getFrequency(), 1));
    double cycles = 0;
    for (llvm::BasicBlock& block : function) {
      const double often = std::min(
          static_cast<double>(frequencies.getBlockFreq(&block).getFrequency()) / entry, kMostFrequent);
      for (llvm::Instruction& instruction : block) cycles += often * cyclesOf(instruction, costs);
    }
    return cycles;
  }

  double cyclesOf(llvm::Instruction& instruction, const llvm::TargetTransformInfo& costs) {
    if (instruction.isDebugOrPseudoInst()) return 0;
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm()) {
      llvm::Function* const callee = call->getCalledFunction();
      return kCallCycles + (callee == nullptr || callee->isDeclaration() ? 0 : cyclesOf(*callee));
    }
    double cycles = 0;
    for (const auto kind :
         {llvm::TargetTransformInfo::TCK_RecipThroughput, llvm::TargetTransformInfo::TCK_Latency}) {
      const llvm::InstructionCost cost = costs.getInstructionCost(&instruction, kind);
      cycles += cost.isValid() ? static_cast<double>(cost.getValue()) / 2 : 1;
    }
    return cycles;
  }

  llvm::TargetMachine& machine_;
  std::map<llvm::Function*, std::optional<double>> cycles_;  // nothing as long as it is being found
};

bool mayBeCalledFromOutside(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasLocalLinkage() &&
         !function.hasAvailableExternallyLinkage() && !function.isDiscardableIfUnused();
}

}  // namespace

Result<EstimatedCycles> estimateCycles(llvm::Module& module, llvm::TargetMachine& machine) {
  Estimator estimator(machine);
  EstimatedCycles estimate;
  double entries = 0;
  for (llvm::Function& function : module) {
    if (!mayBeCalledFromOutside(function)) continue;
    estimate.log_cycles += std::log1p(estimator.cyclesOf(function));
    ++entries;
  }
  if (entries == 0)
    return fail(ErrorCode::kUnsupported, "{}: nothing can be called from outside",
                module.getModuleIdentifier());
  estimate.log_cycles /= entries;
  estimate.instructions = static_cast<double>(module.getInstructionCount());
  return estimate;
}

}  // namespace ordo::advisors
