// What Ordo decided, as an optimization remark in the YAML of LLVM (https://llvm.org/docs/Remarks.html),
// which opt-viewer and llvm-remarkutil read. Where clang is asked for remarks, it is in the same file as
// clang's own.
#pragma once

#include <string>
#include <string_view>

#include "builds/log.h"

namespace ordo::builds {

// The remark about the compilation of `source`, as it was given, that `line` is about. `order` is what was
// applied, as recipe::writeOrder() writes it; "": the compiler's own pipeline. A remark is about a function,
// and a recipe about all of them: the source's name stands for it.
std::string remarkOf(std::string_view source, const LogLine& line, std::string_view order);

}  // namespace ordo::builds
