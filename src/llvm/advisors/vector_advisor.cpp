#include "llvm/advisors/vector_advisor.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include "llvm/actions/clang_pipeline.h"
#include "llvm/actions/loop_hints.h"
#include "llvm/advisors/loop_features.h"
#include "notation/decisions.h"

namespace ordo::advisors {
namespace {

constexpr const char* kRemarks = "ordo-vectorize";  // -Rpass=ordo-vectorize

// One advisor for all functions of a module.
class AskingPass {
 public:
  explicit AskingPass(MakeAdvisor make) : make_(std::move(make)) {}

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

void ask(AskingPass& asked, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptSize()) return;
  const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return;
  env::Advisor* const advisor = asked.advisorOf(*function.getParent());
  if (advisor == nullptr) return;
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
}

}  // namespace

void adviseVectorizing(llvm::PassBuilder& builder, MakeAdvisor make) {
  // A builder makes pipelines for one module after the other.
  const auto asked = std::make_shared<AskingPass>(std::move(make));
  actions::beforeVectorizing(builder,
                             [asked](llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
                               ask(*asked, function, analyses);
                             });
}

}  // namespace ordo::advisors
