// function_instructions: instructions of each function with a body, in the order of the module, without debug
// intrinsics, as the metric ir_instructions counts them: int64 [functions].
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const std::int64_t count = function.getInstructionCount();
    out.append(reinterpret_cast<const char*>(&count), sizeof(count));
  }
}

}  // namespace

extern constinit const FeatureInfo function_instructions{
    .name = "function_instructions",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 0,
    .summary = "instructions of each function with a body, in their order",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
