// Assembly as clang writes it for ELF, by function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordo::web {

struct AssemblyPart {
  std::string name;  // in the IR, as shownSymbol() has it
  std::string text;  // labels and instructions; of directives those that say data, not those for debuggers
};

// The functions in order; what is outside of them is left out.
std::vector<AssemblyPart> splitAssembly(std::string_view text);

}  // namespace ordo::web
