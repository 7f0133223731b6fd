// Kernels of MLIR: their workers, and the stock tools around them. A result is proved by another worker, and
// by stock mlir-opt-22, which makes the same IR of the same file with the schedule.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/input.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::engine {

// Whether a file, or a program of a dataset, is a kernel, by its name.
bool isKernel(std::string_view file);

// One candidate takes some 50 ms; plain loops of a large kernel, which all are compared with, take seconds,
// and four times that while they are timed on a busy machine.
inline constexpr double kStepSeconds = 300;

// kUnavailable, with what to install, where Ordo was built without MLIR. A step that takes a processor for
// longer is ended.
Result<std::unique_ptr<Engine>> startForKernels(bool remember_crashes = true,
                                                double step_seconds = kStepSeconds);

// Errors as of readProgram() (worker_only.h). REQUIRES: an engine for kernels. Loops that a schedule deals
// out run on so many threads.
Result<Input> readKernel(const Engine& engine, std::string_view file, std::string_view baseline = "",
                         unsigned threads = 1);

// The steps whose sizes fit this kernel, of all ("") or of those that a space has: NAME of data/spaces/mlir,
// or a file. Errors as of Session::observe(), Backend::open(), readFile() and parseSpace(); kNotFound for a
// space of which nothing fits.
Result<spaces::Space> kernelSpace(Engine& engine, const Input& input, std::string_view within = "");

// What `session` observes under that name, as text.
Result<std::string> observedText(env::Session& session, std::string_view observation);

const Toolchain& stockMlir();

}  // namespace ordo::engine
