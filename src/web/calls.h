// Who calls whom, read from textual IR.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordo::web {

struct Caller {
  std::string name;  // as shownSymbol() has it; so are those it calls
  std::size_t lines = 0;
  std::vector<std::string>
      callees;  // each once, in the order they are first called; also what is only declared
};

// The functions that `ir` defines, in order. Calls through pointers name nobody and are not there; nor are
// intrinsics of LLVM. Any text is taken: what is no IR has no functions.
std::vector<Caller> callsIn(std::string_view ir);

}  // namespace ordo::web
