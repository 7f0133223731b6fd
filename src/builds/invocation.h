// Under which name Ordo's compiler was called, and which compiler that stands for.
#pragma once

#include <string>
#include <vector>

namespace ordo::builds {

struct Invocation {
  std::vector<std::string> command;  // the compiler's own command: its name and arguments
  // The file that the name stands for; "" if there is none. Links of Ordo's compiler in PATH are passed over,
  // so that it may be there under the names of compilers, before them.
  std::string program;
  bool ours = false;  // it is clang 22, which the plugin fits
  // Tells two builds of that clang apart: where it lies, its size and date, and those of its configuration
  // files. "" if it is not ours.
  std::string compiler;

  std::vector<std::string> arguments() const { return {command.begin() + 1, command.end()}; }
};

// `words` are argv. A name with "++" stands for clang++-22, one that ends in "launch" for the compiler that
// is its first argument, any other (ordo-cc, cc, clang-22) for clang-22. No command if that is missing.
Invocation parseInvocation(const std::vector<std::string>& words);

}  // namespace ordo::builds
