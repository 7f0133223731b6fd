// How large code may get: beyond this MLIR's vectorizer and LLVM take seconds to minutes for one candidate,
// and what comes of it spills registers.
#pragma once

#include <cstdint>

namespace ordo::model {

inline constexpr std::int64_t kMostVectorElements = 512;  // of one vectorized operation
inline constexpr std::int64_t kMostUnrolled = 2048;       // the same, times the factor of its unrolling
inline constexpr std::int64_t kMostRegisters = 32;        // of AVX-512
inline constexpr std::int64_t kMostLanes = 16;            // floats in each
inline constexpr std::int64_t kMostDepth = 16;            // products that are summed up at a time
inline constexpr unsigned kMostTilings = 8;               // loops that steps put around one operation

// What holds vectors in the processor that this runs on.
struct Registers {
  std::int64_t count = 0;
  std::int64_t lanes = 0;  // floats in each
};
const Registers& registers();
// Elements of so many bytes in each.
double lanesOf(std::int64_t bytes);

// Those of the largest processor, so that what may be chosen is the same everywhere; what pays is not.
constexpr bool fitsRegisters(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  return rows * columns * depth <= kMostVectorElements &&
         rows * ((columns + kMostLanes - 1) / kMostLanes) <= kMostRegisters;
}

}  // namespace ordo::model
