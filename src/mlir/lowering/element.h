// How wide the elements of tensors are in memory. Everything that sizes memory asks here: places for what is
// computed on the way, buffers of trials, headers for C, other people's libraries, the model of costs.
#pragma once

#include <cstdint>
#include <optional>

namespace mlir {
class Type;
}

namespace ordo::lowering {

// Bytes from one element to the next where MLIR's memrefs become arrays of LLVM: each element begins at a
// byte of its own, so a boolean takes one, and what is no power of two takes the next. Nothing for types that
// no kernel here computes with, wider than 64 bits or no numbers.
std::optional<std::int64_t> elementBytes(mlir::Type type);

}  // namespace ordo::lowering
