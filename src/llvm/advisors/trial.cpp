#include "llvm/advisors/trial.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "env/plain_advisors.h"
#include "llvm/actions/attributes.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/advisors/eviction_advisor.h"
#include "llvm/ir/module.h"
#include "notation/decisions.h"

namespace ordo::advisors {
Result<Trial> Trial::open(std::string bitcode, std::string name, const ir::TargetOptions& target) {
  ir::initialiseTargets();
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode, name));
  ORDO_TRY(ir::makeTargetMachine(*module, target));
  for (const char* attribute : {"+minsize", "+optsize"})
    ORDO_TRY(actions::applyAttribute(*module, attribute));
  return Trial(ir::writeExactBitcode(*module), std::move(name), target);
}

Result<Trial> Trial::optimised() const {
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode_, name_));
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                  ir::makeTargetMachine(*module, target_));
  actions::runClangOz(*module, *machine, [](llvm::ModuleAnalysisManager&) {});
  Trial behind(ir::writeExactBitcode(*module), name_, target_);
  behind.is_optimised_ = true;
  return behind;
}

Result<Outcome> Trial::run(env::Advisor& advisor) const {
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode_, name_));
  module->setModuleIdentifier(name_);
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                  ir::makeTargetMachine(*module, target_));
  Outcome outcome;
  env::LoggedAdvisor logged(advisor, outcome.log);
  const MakeAdvisor lend = [&] { return std::make_unique<env::LentAdvisor>(logged); };
  const bool evicts = advisor.spec() == notation::evictDecision();
  if (!is_optimised_)
    actions::runClangOz(*module, *machine, [&](llvm::ModuleAnalysisManager& analyses) {
      if (!evicts) adviseInlining(analyses, lend);
    });
  if (evicts) adviseEviction(lend);
  const Result<std::string> object = ir::emit(*module, *machine, ir::EmitKind::kObject);
  if (evicts) adviseEviction({});
  if (!object) return fail(object.error());
  ORDO_TRY_ASSIGN(const ir::ObjectSizes sizes, ir::objectSizes(*object));
  outcome.code = sizes.code;
  return outcome;
}

}  // namespace ordo::advisors
