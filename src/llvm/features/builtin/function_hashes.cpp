// function_hashes: a hash of each function with a body, in the order of the module: int64 [functions]. Equal
// functions of two modules have equal ones, whatever their string constants are called there. 64 bits and a
// part of what a function depends on: for what is tried again, and not for what is believed.
#include <llvm/ADT/StableHashing.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/StructuralHash.h>
#include <llvm/Support/xxhash.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // Attributes are not in it, and a function for size is another.
    const llvm::stable_hash attributes =
        llvm::xxh3_64bits(function.getAttributes().getAsString(llvm::AttributeList::FunctionIndex));
    const llvm::stable_hash hash =
        llvm::stable_hash_combine(llvm::StructuralHash(function, /*DetailedHash=*/true), attributes);
    out.append(reinterpret_cast<const char*>(&hash), sizeof(hash));
  }
}

}  // namespace

extern constinit const FeatureInfo function_hashes{
    .name = "function_hashes",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 0,
    .summary = "a hash of each function with a body, in their order, to know it again in another program",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
