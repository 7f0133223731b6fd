// ir2vec_flow: the flow-aware IR2Vec embedding of the module, the sum of those of its functions: float32
// [64]. Source and vocabulary: llvm/features/ir2vec.h.
#include "llvm/features/feature.h"
#include "llvm/features/ir2vec.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  embedding::appendModule(module, embedding::Kind::kFlowAware, out);
}

}  // namespace

extern constinit const FeatureInfo ir2vec_flow{
    .name = "ir2vec_flow",
    .version = 1,
    .dtype = DType::kFloat32,
    .width = embedding::kDim,
    .summary = "LLVM's flow-aware IR2Vec of the module: the sum over its functions",
    .element_names = {},
    .prepare = embedding::loadVocabulary,
    .extract = extract,
};

}  // namespace ordo::features
