// Under which name Ordo's compiler was called, and which compiler that stands for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::builds {

struct Invocation {
  std::vector<std::string> command;  // the compiler's own command: its name and arguments
  // The file that the name stands for; "" if there is none. Links of Ordo's compiler in PATH are passed over,
  // so that it may be there under the names of compilers, before them.
  std::string program;
  bool ours = false;  // it is clang 22, which the plugin fits
  // identityOf() that clang, which may be a wrapper around another; "" if it is not ours.
  std::string compiler;

  std::vector<std::string> arguments() const { return {command.begin() + 1, command.end()}; }
};

// `words` are argv. A name with "++" stands for clang++-22, one that ends in "launch" for the compiler that
// is its first argument, any other (ordo-cc, cc, clang-22) for clang-22. No command if that is missing.
Invocation parseInvocation(const std::vector<std::string>& words);

// Tells two builds of a compiler apart that is these files, its program first: where they lie, their sizes
// and dates, and those of its configuration files.
std::string identityOf(const std::vector<std::string>& files);

// What clang's driver was told, without its name and `ours`, the word that brings our plugin in. kUnsupported
// if its name could say more than that it is clang (aarch64-linux-gnu-clang).
Result<std::vector<std::string>> argumentsTold(const std::vector<std::string>& command,
                                               std::string_view ours);

}  // namespace ordo::builds
