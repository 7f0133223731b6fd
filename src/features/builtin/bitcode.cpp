// bitcode: the module as LLVM bitcode.
#include "features/feature.h"
#include "ir/module.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) { out += ir::writeBitcode(module); }

}  // namespace

extern constinit const FeatureInfo bitcode{
    .name = "bitcode",
    .version = 1,
    .dtype = DType::kBytes,
    .width = 0,
    .summary = "LLVM bitcode",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
