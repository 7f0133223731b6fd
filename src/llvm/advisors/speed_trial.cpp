#include "llvm/advisors/speed_trial.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cmath>

#include "env/plain_advisors.h"
#include "llvm/actions/attributes.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/advisors/inline_advisor.h"
#include "llvm/ir/module.h"
#include "notation/decisions.h"

namespace ordo::advisors {

Result<SpeedTrial> SpeedTrial::open(std::string bitcode, std::string name, const ir::TargetOptions& target) {
  ir::initialiseTargets();
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode, name));
  ORDO_TRY(ir::makeTargetMachine(*module, target));
  for (const char* attribute : {"-minsize", "-optsize"})
    ORDO_TRY(actions::applyAttribute(*module, attribute));
  SpeedTrial trial(ir::writeExactBitcode(*module), std::move(name), target);
  env::UsualAdvisor usual(notation::inlineDecision());
  ORDO_TRY_ASSIGN(trial.usual_, trial.estimate(usual));
  return trial;
}

Result<EstimatedCycles> SpeedTrial::estimate(env::Advisor& inlining) const {
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode_, name_));
  module->setModuleIdentifier(name_);
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                  ir::makeTargetMachine(*module, target_));
  // Behind it, copies of a loop's body look as if each ran as often as the body did.
  actions::simplifyAtClangO3(*module, *machine, [&](llvm::ModuleAnalysisManager& analyses) {
    adviseInlining(analyses, [&] { return std::make_unique<env::LentAdvisor>(inlining); });
  });
  return estimateCycles(*module, *machine);
}

Result<SpeedOutcome> SpeedTrial::run(env::Advisor& inlining) const {
  SpeedOutcome outcome;
  env::LoggedAdvisor logged(inlining, outcome.log);
  ORDO_TRY_ASSIGN(const EstimatedCycles estimate, this->estimate(logged));
  const double growth = std::log((estimate.instructions + 1) / (usual_.instructions + 1));
  outcome.cost = kUsualCost * std::exp(estimate.log_cycles - usual_.log_cycles + kGrowthCost * growth);
  return outcome;
}

}  // namespace ordo::advisors
