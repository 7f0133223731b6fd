// How large code may get: beyond this MLIR's vectorizer and LLVM take seconds to minutes for one candidate,
// and what comes of it spills registers.
#pragma once

#include <cstdint>

namespace ordo::model {

inline constexpr std::int64_t kMostVectorElements = 512;  // of one vectorized operation
inline constexpr std::int64_t kMostUnrolled = 2048;       // the same, times the factor of its unrolling
inline constexpr std::int64_t kRegisters = 32;            // of AVX-512
inline constexpr std::int64_t kLanes = 16;                // floats in each
inline constexpr unsigned kMostTilings = 8;               // loops that steps put around one operation

constexpr bool fitsRegisters(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  return rows * columns * depth <= kMostVectorElements &&
         rows * ((columns + kLanes - 1) / kLanes) <= kRegisters;
}

}  // namespace ordo::model
