// ordo tune KERNEL.mlir: a schedule for each kernel, and what is written of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "env/session.h"
#include "recipe/recipe.h"

namespace ordo::cli {

struct KernelRequest {
  std::vector<std::string> files;
  std::string baseline;        // of the backend's; "": fair
  std::string budget = "30s";  // for each file
  std::string searcher = "evolutionary";
  std::string out;           // a folder; "": here
  std::string emit = "obj";  // or "so", a library as well
  std::string space;         // "" for all steps
  std::uint64_t seed = 1;
  unsigned threads = 1;    // of the kernels
  unsigned jobs = 1;       // workers
  bool beside = true;      // other people's libraries are measured, too
  bool compilers = false;  // and their compilers
  bool answers = false;    // and what is said without measuring
  bool json = false;
  bool quiet = false;
};

// The policy's own schedule of each file, without measuring anything: every element is compared, and
// NAME.schedule.mlir, NAME.o and NAME.h are written into `out` ("": here). For several threads the model of
// costs answers. The exit code.
int scheduleKernels(const std::vector<std::string>& files, const std::string& out, unsigned threads = 1);

// Tunes, writes NAME.schedule.mlir, NAME.o, NAME.h and NAME.ordo.json, and says how it went. The exit code.
int tuneKernels(const KernelRequest& request);

// Writes NAME.schedule.mlir, NAME.o and NAME.h into `folder` ("": here), which is made if it is missing: what
// the session says of its state; NAME.so, too, if `emit` is so, with OpenMP for
// `threads`. Their paths. Errors: those of files and of
// clang-22.
Result<std::vector<std::string>> writeKernel(env::Session& session, const std::filesystem::path& folder,
                                             const std::string& name, std::string_view emit = "obj",
                                             bool threads = false);

// The same of recipes of kernels, whose `file` may be somewhere else than they say ("": there). Exit codes,
// and all is said.
int replayKernel(const recipe::Recipe& recipe, const std::string& file, const std::string& out);
int verifyKernel(const recipe::Recipe& recipe, const std::string& file, bool json);
int explainKernel(const recipe::Recipe& recipe, const std::string& file);

// Whether a recipe is of a kernel.
inline bool isOfKernel(const recipe::Recipe& recipe) { return recipe.backend == "mlir"; }

}  // namespace ordo::cli
