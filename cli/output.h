// Where results go and in what form.
#pragma once

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "support/error.h"

namespace ordo::cli {

// The --output and --recipe options of one run.
struct OutputOptions {
  std::string emit = "obj";  // obj, bc, ll, asm, exe
  std::string out;           // a file, a folder, "-" for standard output, or "" for NAME.<emit> here
  std::string recipe;        // a file or a folder, or "" for NAME.ordo.json beside the result
  bool several = false;      // several programs: `out` and `recipe` are folders, made if missing
};

// Before any work: kInvalidArgument for an unknown form, kNotFound or kUnavailable for a place that
// cannot be written.
Status checkOutput(const OutputOptions& options);

// Where the result and the recipe of the program `name` go.
std::string outputPath(const OutputOptions& options, std::string_view name);
std::string recipePath(const OutputOptions& options, std::string_view name);

// Writes `bitcode`, or what clang makes of it with the flags of `source` (engine::emissionSource()), to
// `path`. `object` is made from it already.
Status writeResult(engine::Engine& engine, const engine::Input& input, const frontend::Source& source,
                   std::string_view bitcode, std::string_view object, std::string_view emit,
                   const std::string& path);

// Says so, if the result is written as IR, and choices of the code generator belong to it, which IR cannot
// hold.
void noteWhatIrLacks(const std::vector<env::Action>& actions, std::string_view emit);

// Writes to a file, or to standard output if `path` is "-".
Status writeOutput(const std::string& path, std::string_view content);

}  // namespace ordo::cli
