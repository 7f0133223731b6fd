#include "llvm/actions/choices.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "llvm/actions/attributes.h"
#include "notation/function_sequence.h"

namespace ordo::actions {

Result<bool> applyChoices(llvm::Module& module, PipelineRunner& runner,
                          const std::vector<std::string>& sequences,
                          const std::map<std::string, std::size_t>& functions) {
  for (const llvm::Function& function : module)
    if (function.hasOptNone())
      return fail(ErrorCode::kInvalidArgument, "the function '{}' is optnone, and choices are told by that",
                  function.getName().str());
  std::vector<notation::FunctionSequence> parsed;
  for (const std::string& text : sequences) {
    parsed.push_back(notation::parseFunctionSequence(text));
    ORDO_TRY(runner.check(parsed.back().passes));
    for (const std::string& attribute : parsed.back().attributes)
      ORDO_TRY(applyAttribute(module, attribute, [](const llvm::Function&) { return false; }));
  }
  bool changed = false;
  for (std::size_t number = 0; number < parsed.size(); ++number) {
    const Chosen chosen = [&](const llvm::Function& function) {
      const auto known = functions.find(function.getName().str());
      return (known == functions.end() ? 0 : known->second) == number;
    };
    for (const std::string& attribute : parsed[number].attributes) {
      ORDO_TRY_ASSIGN(const bool news, applyAttribute(module, attribute, chosen));
      changed = changed || news;
    }
    ORDO_TRY_ASSIGN(const bool news, runner.run(parsed[number].passes, chosen));
    changed = changed || news;
  }
  return changed;
}

}  // namespace ordo::actions
