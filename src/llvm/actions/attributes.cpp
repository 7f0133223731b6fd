#include "llvm/actions/attributes.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace ordo::actions {

Result<bool> applyAttribute(llvm::Module& module, std::string_view text) {
  return applyAttribute(module, text, [](const llvm::Function&) { return true; });
}

Result<bool> applyAttribute(llvm::Module& module, std::string_view text, const Chosen& chosen) {
  const bool add = text.starts_with('+');
  if (text.size() < 2 || (!add && !text.starts_with('-'))) {
    return fail(ErrorCode::kInvalidArgument, "'{}' is not an attribute action; write +minsize or -minsize",
                text);
  }
  const llvm::StringRef name(text.data() + 1, text.size() - 1);
  const llvm::Attribute::AttrKind kind = llvm::Attribute::getAttrKindFromName(name);
  if (kind == llvm::Attribute::None || !llvm::Attribute::canUseAsFnAttr(kind) ||
      !llvm::Attribute::isEnumAttrKind(kind)) {
    return fail(ErrorCode::kInvalidArgument, "'{}' is not a function attribute of LLVM", name.str());
  }
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kind) == add || !chosen(function)) continue;
    if (add)
      function.addFnAttr(kind);
    else
      function.removeFnAttr(kind);
    changed = true;
  }
  return changed;
}

}  // namespace ordo::actions
