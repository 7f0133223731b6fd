// function_names: the name of each function with a body, in the order of the module, each ended by a zero
// byte: bytes.
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    out += function.getName();
    out += '\0';
  }
}

}  // namespace

extern constinit const FeatureInfo function_names{
    .name = "function_names",
    .version = 1,
    .dtype = DType::kBytes,
    .width = 0,
    .summary = "names of the functions with a body, in their order, each ended by a zero byte",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
