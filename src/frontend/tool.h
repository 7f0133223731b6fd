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

// `path` as an argument: no tool takes it for an option ("-x.c") or for a file of more arguments ("@x.c").
std::string asWord(const std::filesystem::path& path);

// What the tool made of its input, also if it refused it. kNotFound with the package to install,
// kDeadlineExceeded, kUnavailable if the disk is full or something ended the tool, kUnsupported with LLVM's
// reason if it crashed.
Result<ProcessResult> tryTool(ToolRun run);

// The result of a tool that succeeded. Else the same, and kInvalidArgument with the tool's own words.
Result<ProcessResult> runTool(ToolRun run);

}  // namespace ordo::frontend
