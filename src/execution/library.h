// The C library as compared functions see it: memory and strings with checks, the heap of the input, output
// that is recorded, and what only computes, as it is.
#pragma once

#include <span>
#include <string_view>

namespace ordo::execution {

struct LibraryFunction {
  std::string_view name;
  void* plain;
  void* watched;  // checks what it reads and writes before it does
};

// Sorted by nothing; names are unique. All need a Machine that runs.
std::span<const LibraryFunction> library();

}  // namespace ordo::execution
