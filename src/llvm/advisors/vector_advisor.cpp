#include "llvm/advisors/vector_advisor.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "llvm/actions/loop_hints.h"
#include "llvm/advisors/loop_features.h"
#include "notation/decisions.h"

namespace ordo::advisors {
namespace {

constexpr const char* kRemarks = "ordo-vectorize";  // -Rpass=ordo-vectorize

// One advisor for all functions of a module.
class Asked {
 public:
  explicit Asked(MakeAdvisor make) : make_(std::move(make)) {}

  env::Advisor* advisorOf(const llvm::Module& module) {
    if (module_ != &module) {
      module_ = &module;
      advisor_ = make_();
      if (advisor_) advisor_->begin(module.getModuleIdentifier());
    }
    return advisor_.get();
  }

 private:
  MakeAdvisor make_;
  const llvm::Module* module_ = nullptr;
  std::unique_ptr<env::Advisor> advisor_;
};

class Pass : public llvm::PassInfoMixin<Pass> {
 public:
  explicit Pass(MakeAdvisor make) : asked_(std::make_shared<Asked>(std::move(make))) {}

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (function.hasOptSize()) return llvm::PreservedAnalyses::all();
    const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    if (loops.empty()) return llvm::PreservedAnalyses::all();
    env::Advisor* const advisor = asked_->advisorOf(*function.getParent());
    if (advisor == nullptr) return llvm::PreservedAnalyses::all();
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      const std::optional<LoopCase> found = caseOf(*loop, evolution, target);
      if (!found) continue;
      const env::Question question{found->features, found->allowed, 0};
      if (!env::fits(advisor->spec(), question)) continue;
      const auto factors = notation::vectorFactorsOf(advisor->advise(question));
      if (!factors) continue;
      actions::giveHint(*loop, {0, factors->width, factors->interleave, {}});
      analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function).emit([&] {
        return llvm::OptimizationRemark(kRemarks, "Advised", loop->getStartLoc(), loop->getHeader())
               << "a width of " << llvm::ore::NV("Width", factors->width) << " and an interleave count of "
               << llvm::ore::NV("Interleave", factors->interleave)
               << ": advised by Ordo, in place of LLVM's cost model";
      });
    }
    return llvm::PreservedAnalyses::all();
  }

 private:
  std::shared_ptr<Asked> asked_;
};

}  // namespace

void adviseVectorizing(llvm::PassBuilder& builder, MakeAdvisor make) {
  builder.registerVectorizerStartEPCallback(
      [make = std::move(make)](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
        if (level.getSpeedupLevel() < 2 || level.getSizeLevel() != 0) return;
        // As the loop passes that come next begin, too: a loop without a preheader cannot be read.
        passes.addPass(llvm::LoopSimplifyPass());
        passes.addPass(Pass(make));
      });
}

}  // namespace ordo::advisors
