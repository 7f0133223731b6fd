// The C library as compared functions see it: memory and strings with checks, the heap of the input, output
// that is recorded, files that have the text of the input, and what only computes, as it is.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace ordo::execution {

struct LibraryFunction {
  std::string_view name;
  void* plain;
  void* watched;  // checks what it reads and writes before it does
};

// Names are unique. All need a Machine that runs.
std::span<const LibraryFunction> library();

// Its parts.
std::vector<LibraryFunction> memoryFunctions();  // heap, memory, strings
std::vector<LibraryFunction> streamFunctions();  // files

}  // namespace ordo::execution
