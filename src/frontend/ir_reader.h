// Programs that are given as LLVM IR, text or bitcode, of this LLVM or another.
#pragma once

#include <string_view>

#include "frontend/clang.h"
#include "frontend/level.h"
#include "support/error.h"

namespace ordo::frontend {

// What compileToBitcode() is for IR. kCorrupt, with file, line where there is one, and LLVM's reason, for
// what LLVM 22 does not read. Bitcode that is given as it is has not been read. IR that names no machine is
// for that of the flags.
Result<Compiled> readIr(const Source& source, Level level);

// `source` so that clang compiles it for the machine that its IR is for, whatever this machine is: clang
// itself would take another from its flags, and what is right for one would silently be wrong for the other.
// `bitcode` is what readIr() made of it; anything but IR is left alone. kInvalidArgument if its flags say
// another machine.
Result<Source> forItsMachine(Source source, std::string_view bitcode);

}  // namespace ordo::frontend
