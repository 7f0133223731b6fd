#include "llvm/advisors/trial.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <set>

#include "env/plain_advisors.h"
#include "llvm/actions/attributes.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/ir/module.h"
#include "notation/decisions.h"

namespace ordo::advisors {
Result<Trial> Trial::open(std::string bitcode, std::string name, const ir::TargetOptions& target) {
  ir::initialiseTargets();
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode, name));
  ORDO_TRY(ir::makeTargetMachine(*module, target));
  for (const char* attribute : {"+minsize", "+optsize"})
    ORDO_TRY(actions::applyAttribute(*module, attribute));
  return Trial(ir::writeExactBitcode(*module), std::move(name), target, /*is_optimised=*/false);
}

Result<Trial> Trial::openOptimised(std::string bitcode, std::string name, const ir::TargetOptions& target) {
  ir::initialiseTargets();
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode, name));
  ORDO_TRY(ir::makeTargetMachine(*module, target));
  return Trial(std::move(bitcode), std::move(name), target, /*is_optimised=*/true);
}

Result<Trial> Trial::optimised() const {
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode_, name_));
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                  ir::makeTargetMachine(*module, target_));
  actions::runClangOz(*module, *machine, [](llvm::ModuleAnalysisManager&) {});
  return Trial(ir::writeExactBitcode(*module), name_, target_, /*is_optimised=*/true);
}

Result<std::optional<std::string>> Trial::crowdedFunctions() const {
  ORDO_TRY_ASSIGN(const Trial behind, is_optimised_ ? Result<Trial>(*this) : optimised());
  ORDO_TRY_ASSIGN(const ir::OwnedModule copy, ir::parse(behind.bitcode_, name_));
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, ir::makeTargetMachine(*copy, target_));
  std::set<std::string, std::less<>> crowded;
  adviseEviction([] { return std::make_unique<env::UsualAdvisor>(notation::evictDecision()); },
                 {.asked_in = [&](std::string_view function) { crowded.emplace(function); }});
  const Result<std::string> object = ir::emit(*copy, *machine, ir::EmitKind::kObject);
  adviseEviction({});
  if (!object) return fail(object.error());
  if (crowded.empty()) return std::nullopt;
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(behind.bitcode_, name_));
  for (llvm::Function& function : *module) {
    if (function.isDeclaration() || crowded.contains(function.getName())) continue;
    function.deleteBody();
    function.setComdat(nullptr);
    function.setDSOLocal(true);  // what calls it is as it was
  }
  std::vector<llvm::GlobalAlias*> aliases;
  for (llvm::GlobalAlias& alias : module->aliases()) aliases.push_back(&alias);
  // An alias of what is not there any more is nothing.
  for (llvm::GlobalAlias* alias : aliases) {
    const auto* const function = llvm::dyn_cast_or_null<llvm::Function>(alias->getAliaseeObject());
    if (function == nullptr || !function->isDeclaration()) continue;
    alias->replaceAllUsesWith(alias->getAliasee());
    alias->eraseFromParent();
  }
  return ir::writeExactBitcode(*module);
}

Result<Outcome> Trial::run(env::Advisor& advisor, const EvictionScope& scope) const {
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
  if (evicts) adviseEviction(lend, scope);
  const Result<std::string> object = ir::emit(*module, *machine, ir::EmitKind::kObject);
  if (evicts) adviseEviction({});
  if (!object) return fail(object.error());
  ORDO_TRY_ASSIGN(const ir::ObjectSizes sizes, ir::objectSizes(*object));
  outcome.code = sizes.code;
  return outcome;
}

}  // namespace ordo::advisors
