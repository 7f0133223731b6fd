// What an object file weighs.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/error.h"

namespace ordo::builds {

// The text column of llvm-size: sections that are loaded, not written, and in the file. For ELF of 32 and 64
// bits, lowest byte first; else kUnsupported.
Result<std::uint64_t> textBytes(std::string_view object);

}  // namespace ordo::builds
