// Runs one of the stock LLVM tools and turns its failure into an error that helps.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/error.h"
#include "support/process.h"

namespace ordo::frontend {

struct ToolRun {
  std::vector<std::string> argv;  // argv[0] is a versioned name: clang-22, opt-22, ...
  std::string input;              // for standard input
  std::filesystem::path dir;      // "" is the current directory
  std::string subject;            // what it works on, for messages
};

// The result of a tool that succeeded. kNotFound with the package to install, kInvalidArgument with
// the tool's own words if it fails, kDeadlineExceeded, or kUnavailable if it crashes or the disk is full.
Result<ProcessResult> runTool(ToolRun run);

}  // namespace ordo::frontend
