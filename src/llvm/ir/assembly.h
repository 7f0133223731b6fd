// Inline assembly, as far as a module with it is not the whole of its code.
#pragma once

#include <string>
#include <string_view>

namespace llvm {
class Module;
}

namespace ordo::ir {

// The first place in assembly text beside functions (asm at file scope) that could be more than instructions
// and directives which are known to depend on nothing but the text; "" if all of it is understood. An
// assembler can read files (.incbin, .include), speak (.print), and put such words together (macros).
std::string notUnderstood(std::string_view assembly);

// The same of all assembly of a module, in functions and beside them: there also dialects ("$(att$|intel$)")
// and operands ("$0") put words together, operands with the names of symbols, too.
std::string notUnderstood(const llvm::Module& module);

}  // namespace ordo::ir
