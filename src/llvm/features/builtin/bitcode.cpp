// bitcode: the module as LLVM bitcode, with the order of use lists, so that whoever reads it goes on
// exactly as we would.
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) { out += ir::writeExactBitcode(module); }

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
