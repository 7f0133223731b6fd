// ordo train kernels: the part of `ordo train` that makes the policy of kernels of MLIR.
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace ordo::cli {

// Adds the subcommand to `train`. The value runs it, if it was given, and gives the exit code.
std::function<int()> addTrainKernels(CLI::App& train);

}  // namespace ordo::cli
