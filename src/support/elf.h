// Sections and symbols of ELF files: of objects and of what is linked of them, for any machine whose lowest
// byte comes first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo {

struct ElfSection {
  std::string name;
  std::uint64_t bytes = 0;  // in memory
  bool loaded = false;      // takes part in the memory of the running program
  bool executable = false;
  bool written = false;
  bool in_file = true;  // false for what is zeros when the program begins
};

// In their order, with the first, which has no name. kUnsupported for what is no such file, or breaks off.
Result<std::vector<ElfSection>> elfSections(std::string_view file);

struct ElfSymbol {
  std::string name;
  std::uint64_t bytes = 0;
};

// The functions and variables that have a size and lie in sections that are loaded, in the order of the
// symbol table: of several in one place the first. None if the table was stripped. Errors as of
// elfSections().
Result<std::vector<ElfSymbol>> elfSymbols(std::string_view file);

}  // namespace ordo
