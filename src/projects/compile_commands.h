// compile_commands.json: how the files of a project are compiled, as CMake, Meson, Ninja and Bear write it
// (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::projects {

struct CompileCommand {
  std::filesystem::path folder;    // in which it runs
  std::vector<std::string> words;  // the compiler and its arguments, at least one word
};

// kCorrupt names the entry and the field at fault. `name` is for messages.
Result<std::vector<CompileCommand>> parseCompileCommands(std::string_view text, std::string_view name);

}  // namespace ordo::projects
