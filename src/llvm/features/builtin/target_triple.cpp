// target_triple: the machine that the module is for, in LLVM's words; nothing if it does not say.
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) { out += module.getTargetTriple().str(); }

}  // namespace

extern constinit const FeatureInfo target_triple{
    .name = "target_triple",
    .version = 1,
    .dtype = DType::kBytes,
    .width = 0,
    .summary = "the machine that the module is for: architecture, vendor, system, environment",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
