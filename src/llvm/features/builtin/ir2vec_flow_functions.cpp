// ir2vec_flow_functions: the flow-aware IR2Vec embedding of each function with a body, in the order of the
// module: float32 [functions, 64]. Source and vocabulary: llvm/features/ir2vec.h.
#include "llvm/features/feature.h"
#include "llvm/features/ir2vec.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  embedding::appendFunctions(module, embedding::Kind::kFlowAware, out);
}

}  // namespace

extern constinit const FeatureInfo ir2vec_flow_functions{
    .name = "ir2vec_flow_functions",
    .version = 1,
    .dtype = DType::kFloat32,
    .width = 0,
    .columns = embedding::kDim,
    .summary = "LLVM's flow-aware IR2Vec of each function with a body, in their order",
    .element_names = {},
    .prepare = embedding::loadVocabulary,
    .extract = extract,
};

}  // namespace ordo::features
