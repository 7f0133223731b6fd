// What of an executable is loaded when it runs, so that two builds that differ in nothing else need no
// measuring.
#pragma once

#include <string_view>

#include "support/hash.h"

namespace ordo::timing {

// A hash over the address, kind and content of every section that is loaded: code, constants, data,
// relocations. Left out are notes, which hold the build-id, and whatever is only in the file: symbols, debug
// information. Of what is not a 64-bit ELF file with sections (a script), the hash of its bytes.
Hash128 loadedHash(std::string_view file);

}  // namespace ordo::timing
