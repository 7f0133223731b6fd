// Inline assembly, as far as a module with it is not the whole of its code.
#pragma once

#include <string>
#include <string_view>

namespace llvm {
class Module;
}

namespace ordo::ir {

// The first directive in assembly text that reads a file (.incbin, .include) or speaks (.print), or with
// which another could be put together of parts (macros with parameters); "" if there is none. An assembler
// does not tell small from capital letters in them. Comments and strings count, too: better one too many.
std::string directiveFromOutside(std::string_view assembly);

// The same of all assembly of a module, in functions and beside them.
std::string directiveFromOutside(const llvm::Module& module);

}  // namespace ordo::ir
