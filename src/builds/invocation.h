// Under which name Ordo's compiler was called, and which compiler that stands for.
#pragma once

#include <string>
#include <vector>

namespace ordo::builds {

struct Invocation {
  std::vector<std::string> command;  // the compiler's own command: program and arguments
  bool ours = false;                 // the program is clang 22, which the plugin fits
  // Tells two builds of that clang apart: where it lies, its size and its date. "" if it is not ours.
  std::string compiler;

  std::vector<std::string> arguments() const { return {command.begin() + 1, command.end()}; }
};

// `words` are argv. ordo-cc stands for clang-22, a name that ends in "++" for clang++-22, and ordo-launch for
// the compiler that is its first argument. No command if that is missing.
Invocation parseInvocation(const std::vector<std::string>& words);

}  // namespace ordo::builds
