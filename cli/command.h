// A subcommand of `ordo`. One file in builtin/ is one subcommand; the catalog is generated
// (docs/recipes/add-a-subcommand.md).
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::cli {

using Command = std::function<int(const std::vector<std::string>& flags)>;

struct CommandInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;  // shown at the end of --help, one per line
  // Whether it takes what stands after "--": flags for clang, or the arguments of a program.
  bool takes_flags = false;
  // Adds the options to `app`. The value runs the command once they are parsed, with the flags for
  // clang, and gives the exit code (support/exit_code.h).
  Command (*setup)(CLI::App& app);
};

std::span<const CommandInfo* const> catalog();

}  // namespace ordo::cli
