// ir2vec: the symbolic IR2Vec embedding of the module, the sum of those of its functions: float32 [64].
// Source and vocabulary: llvm/features/ir2vec.h.
#include "llvm/features/ir2vec.h"

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  embedding::appendModule(module, embedding::Kind::kSymbolic, out);
}

}  // namespace

extern constinit const FeatureInfo ir2vec{
    .name = "ir2vec",
    .version = 1,
    .dtype = DType::kFloat32,
    .width = embedding::kDim,
    .summary = "LLVM's symbolic IR2Vec of the module: the sum over its functions",
    .element_names = {},
    .prepare = embedding::loadVocabulary,
    .extract = extract,
};

}  // namespace ordo::features
