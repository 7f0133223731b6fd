#include "plugin/carry_out.h"

#include <fmt/ranges.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>

#include "llvm/actions/attributes.h"
#include "llvm/actions/choices.h"
#include "llvm/actions/pipeline.h"
#include "llvm/ir/codegen_options.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "notation/action.h"
#include "notation/codegen.h"
#include "notation/function_sequence.h"
#include "notation/pass_options.h"

namespace ordo::plugin {
namespace {

// Whether this is opt, which makes no code.
bool isOpt() { return llvm::cl::getRegisteredOptions().contains("passes"); }

bool isSet(const std::string& option) {
  const auto& known = llvm::cl::getRegisteredOptions();
  const auto found = known.find(llvm::StringRef(notation::codegenOption(option)).ltrim('-'));
  return found != known.end() && found->second->getNumOccurrences() > 0;
}

// For good: code is made when nobody of ours is there any more.
Status choose(const std::vector<std::string>& options, bool alone) {
  if (options.empty()) return {};
  if (!alone) {
    return fail(
        ErrorCode::kUnsupported,
        "the recipe has choices of the code generator, which hold for all modules of a link; give them "
        "to the linker (-mllvm {})",
        fmt::join(options, " -mllvm "));
  }
  if (isOpt()) {
    llvm::errs() << fmt::format("ordo: the recipe goes on where code is made: -mllvm {}\n",
                                fmt::join(options, " -mllvm "));
    return {};
  }
  static std::optional<ir::CodegenOptions> chosen;
  ORDO_TRY_ASSIGN(ir::CodegenOptions set, ir::CodegenOptions::set(options));
  chosen.emplace(std::move(set));
  return {};
}

}  // namespace

Status carryOut(llvm::Module& module, const recipe::Order& order, bool alone) {
  ORDO_TRY(notation::check(order.actions, order.settings, "the order"));
  ORDO_TRY_ASSIGN(const notation::Codegen codegen, notation::parseCodegen(order.settings, "the order"));
  ORDO_TRY_ASSIGN(
      const std::unique_ptr<llvm::TargetMachine> machine,
      ir::makeTargetMachine(module, {codegen.level, codegen.relocation, codegen.code_model,
                                     codegen.function_sections, codegen.data_sections, codegen.cpu,
                                     codegen.features, codegen.abi, codegen.float_abi, codegen.tlsdesc}));
  // What the compiler was told itself has been set already.
  std::vector<std::string> pass_options = codegen.pass_options;
  std::erase_if(pass_options, isSet);
  ORDO_TRY_ASSIGN(std::optional<ir::CodegenOptions> options, ir::CodegenOptions::set(pass_options));
  std::optional<actions::PipelineRunner> runner;
  std::vector<std::string> choices;
  for (const env::Action& action : order.actions) {
    if (action.kind == notation::kCodegen) {
      // As in a session, the last of a name counts.
      std::erase_if(choices, [&](const std::string& choice) {
        return notation::codegenOption(choice) == notation::codegenOption(action.text);
      });
      choices.push_back(action.text);
      continue;
    }
    if (action.kind == notation::kOption) {
      runner.reset();
      options.reset();
      notation::setPassOption(pass_options, action.text);
      ORDO_TRY_ASSIGN(ir::CodegenOptions others, ir::CodegenOptions::set(pass_options));
      options.emplace(std::move(others));
      continue;
    }
    if (action.kind == notation::kAttribute) {
      // As in a session: analyses do not outlive a change of attributes.
      runner.reset();
      ORDO_TRY(actions::applyAttribute(module, action.text));
      continue;
    }
    if (action.kind == notation::kChoices) {
      ORDO_TRY_ASSIGN(const env::Choices chosen, notation::parseChoices(action.text, action.name));
      runner.emplace(module, *machine);
      ORDO_TRY(actions::applyChoices(module, *runner, chosen.sequences, chosen.functions));
      runner.reset();
      continue;
    }
    if (!runner) runner.emplace(module, *machine);
    ORDO_TRY(runner->run(action.text));
  }
  runner.reset();
  options.reset();
  if (const std::string complaint = ir::verify(module); !complaint.empty())
    return fail(ErrorCode::kInternal, "the result is not a valid program: {}", complaint);
  return choose(choices, alone);
}

}  // namespace ordo::plugin
