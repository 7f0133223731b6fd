// LLVM's own IR2Vec (VenkataKeerthy et al., "IR2Vec: LLVM IR based scalable program embeddings", TACO 2020,
// https://arxiv.org/abs/1909.06228; llvm/Analysis/IR2Vec.h) with the vocabulary that `ordo train ir2vec`
// made, data/ir2vec/vocabulary.json. What the four ir2vec observations share.
#pragma once

#include <cstdint>
#include <string>

#include "support/error.h"

namespace llvm {
class Module;
}

namespace ordo::features::embedding {

// Numbers of an embedding. A power of two, so that rows are whole cache lines and vector registers; 75 of
// LLVM's seed vocabulary gave no better completion of held-out facts (data/ir2vec/README.md).
inline constexpr std::uint32_t kDim = 64;

// Symbolic embeddings add up what instructions are; flow-aware ones put the embedding of the instruction
// that computes an operand in the place of "a variable", without a weight: along a chain of instructions
// that use a value twice they double at every step. What float32 cannot hold is its largest number, and
// what LLVM computes as no number (infinity less infinity) is 0. Take logarithms before learning from them.
enum class Kind { kSymbolic, kFlowAware };

// Reads the vocabulary, once per process. Thread-safe. kNotFound, or kCorrupt if it is not one of
// kDim numbers for every entity of the linked LLVM.
Status loadVocabulary();

// One row of kDim float32 for each function with a body, in the order of the module.
// REQUIRES: loadVocabulary() succeeded.
void appendFunctions(const llvm::Module& module, Kind kind, std::string& out);

// The sum of these rows, kDim float32.
void appendModule(const llvm::Module& module, Kind kind, std::string& out);

}  // namespace ordo::features::embedding
