// Programs that are given as LLVM IR, text or bitcode, of this LLVM or another.
#pragma once

#include <string_view>

#include "frontend/clang.h"
#include "frontend/level.h"
#include "support/error.h"

namespace ordo::frontend {

// What compileToBitcode() is for IR. kCorrupt, with file, line where there is one, and LLVM's reason, for
// what LLVM 22 does not read. Bitcode that is given as it is has not been read.
Result<Compiled> readIr(const Source& source, Level level);

// kUnsupported if `source` is IR, `bitcode` is what was read of it, and it is for another machine than
// `target`, the triple that clang has by the flags: clang compiles IR for that whatever the IR says, and what
// is right for one would silently be wrong for the other.
Status checkIrTarget(const Source& source, std::string_view bitcode, std::string_view target);

}  // namespace ordo::frontend
