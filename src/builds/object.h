// What an object file weighs.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/error.h"

namespace ordo::builds {

struct ObjectBytes {
  std::uint64_t text = 0;  // the text column of llvm-size: sections that are loaded, not written, in the file
  std::uint64_t code = 0;  // those of them that are executed
  std::uint64_t data = 0;  // written, in the file
  std::uint64_t bss = 0;   // written, and zeros when the program begins
};

// For ELF of 32 and 64 bits, lowest byte first; else kUnsupported.
Result<ObjectBytes> bytesOf(std::string_view object);

}  // namespace ordo::builds
