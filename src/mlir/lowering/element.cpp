#include "mlir/lowering/element.h"

#include <mlir/IR/BuiltinTypes.h>

#include <bit>

namespace ordo::lowering {
namespace {

constexpr unsigned kMostBits = 64;
constexpr unsigned kIndexBits = 64;  // as finalize-memref-to-llvm has it for this processor

}  // namespace

std::optional<std::int64_t> elementBytes(mlir::Type type) {
  if (const auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    const std::optional<std::int64_t> part = elementBytes(complex.getElementType());
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  if (!type.isIntOrIndexOrFloat()) return std::nullopt;
  const unsigned bits = type.isIndex() ? kIndexBits : type.getIntOrFloatBitWidth();
  if (bits == 0 || bits > kMostBits) return std::nullopt;
  return static_cast<std::int64_t>(std::bit_ceil((bits + 7) / 8));
}

}  // namespace ordo::lowering
