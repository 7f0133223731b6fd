#include "llvm/advisors/trial.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "env/plain_advisors.h"
#include "llvm/actions/attributes.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/advisors/inline_advisor.h"
#include "llvm/ir/module.h"

namespace ordo::advisors {
Result<Trial> Trial::open(std::string bitcode, std::string name, const ir::TargetOptions& target) {
  ir::initialiseTargets();
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode, name));
  ORDO_TRY(ir::makeTargetMachine(*module, target));
  for (const char* attribute : {"+minsize", "+optsize"})
    ORDO_TRY(actions::applyAttribute(*module, attribute));
  return Trial(ir::writeExactBitcode(*module), std::move(name), target);
}

Result<Outcome> Trial::run(env::Advisor& inlining) const {
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode_, name_));
  module->setModuleIdentifier(name_);
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                  ir::makeTargetMachine(*module, target_));
  Outcome outcome;
  env::LoggedAdvisor logged(inlining, outcome.log);
  actions::runClangOz(*module, *machine, [&](llvm::ModuleAnalysisManager& analyses) {
    adviseInlining(analyses, [&] { return std::make_unique<env::LentAdvisor>(logged); });
  });
  ORDO_TRY_ASSIGN(const std::string object, ir::emit(*module, *machine, ir::EmitKind::kObject));
  ORDO_TRY_ASSIGN(const ir::ObjectSizes sizes, ir::objectSizes(object));
  outcome.code = sizes.code;
  return outcome;
}

}  // namespace ordo::advisors
