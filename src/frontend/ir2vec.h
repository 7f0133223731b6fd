// Stock llvm-ir2vec-22, which says of a module what a vocabulary is trained on.
#pragma once

#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::frontend {

// What `llvm-ir2vec-22 entities` prints: everything that has an embedding, with its number.
Result<std::string> ir2vecEntities();

// What `llvm-ir2vec-22 triplets` prints of `bitcode`. `name` is for messages. kInvalidArgument with the
// tool's words if it fails.
Result<std::string> ir2vecTriplets(std::string_view bitcode, std::string_view name);

}  // namespace ordo::frontend
