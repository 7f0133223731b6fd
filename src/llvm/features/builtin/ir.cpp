// ir: the module as text.
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  const std::string printed = ir::print(module);
  std::string_view text = printed;
  // The first line says where the module was loaded from, which is no part of the IR.
  if (text.starts_with("; ModuleID")) text.remove_prefix(text.find('\n') + 1);
  out += text;
}

}  // namespace

extern constinit const FeatureInfo ir{
    .name = "ir",
    .version = 1,
    .dtype = DType::kBytes,
    .width = 0,
    .summary = "textual IR",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
