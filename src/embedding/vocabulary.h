// The file of an IR2Vec vocabulary, as LLVM's --ir2vec-vocab-path takes it.
#pragma once

#include <string>
#include <vector>

#include "embedding/transe.h"

namespace ordo::embedding {

// JSON: {"Opcodes": {NAME: [x, …]}, "Types": …, "Arguments": …}, one entity per line, six digits behind the
// point. `names` are those of the model's entities (parseEntities).
std::string writeVocabulary(const std::vector<std::string>& names, const Transe& model);

}  // namespace ordo::embedding
