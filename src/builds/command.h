// A compiler's command as the drop-in compiler sees it.
#pragma once

#include <string>
#include <vector>

#include "frontend/level.h"
#include "support/error.h"

namespace ordo::builds {

struct Command {
  // Whether it asks for objects (-c) and for nothing that ends before there is one. All below is about those.
  bool compiles = false;
  std::vector<std::string> inputs;
  std::string language;  // of the first input: "c" or "c++", else ""
  std::string object;    // that it makes of one input
  // The last level; the compiler's own words for one that Ordo has no name for.
  Result<frontend::Level> level = frontend::Level::kO0;
  // The words that bear on the code that is made of a module, in order.
  std::vector<std::string> code;
  // The file that gets clang's optimization remarks as YAML, or "".
  std::string remarks;
  // The first argument that is not understood (builds/understood.h), or "".
  std::string foreign;
  // It is what a configure script or CMake tries out, and nobody's program.
  bool probe = false;
};

// Reads `arguments`, those after the compiler's name.
Command readCommand(const std::vector<std::string>& arguments);

}  // namespace ordo::builds
