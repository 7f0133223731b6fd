#include "llvm/ir/assembly.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cctype>

namespace ordo::ir {

std::string directiveFromOutside(std::string_view assembly) {
  if (assembly.find('.') == std::string_view::npos) return "";
  std::string text(assembly);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* directive : {".incbin", ".include", ".print"}) {
    if (text.find(directive) != std::string::npos) return directive;
  }
  // ".\name" in a macro is any directive, and so is ".%c0" where an operand is the name of a symbol.
  const bool has_parameters = text.find('\\') != std::string::npos;
  for (const char* directive : {".macro", ".irp", ".altmacro"}) {
    if (has_parameters && text.find(directive) != std::string::npos) return directive;
  }
  return text.find(".$") != std::string::npos ? ".$" : "";
}

std::string directiveFromOutside(const llvm::Module& module) {
  if (std::string directive = directiveFromOutside(module.getModuleInlineAsm()); !directive.empty())
    return directive;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !call->isInlineAsm()) continue;
      const auto* const assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
      if (std::string directive = directiveFromOutside(assembly->getAsmString()); !directive.empty())
        return directive;
    }
  }
  return "";
}

}  // namespace ordo::ir
