// ir_hash: identity of the module, to tell states apart and to see that a pass did nothing.
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  out += ir::hashBitcode(ir::writeBitcode(module)).hex();
}

}  // namespace

extern constinit const FeatureInfo ir_hash{
    .name = "ir_hash",
    .version = 1,
    .dtype = DType::kBytes,
    .width = 32,
    .summary = "hash of the bitcode, 32 hexadecimal digits",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
