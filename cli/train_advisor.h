// ordo train advisor: the part of `ordo train` that makes advisors of compilers.
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace ordo::cli {

// Adds the subcommand to `train`. The value runs it, if it was given, and gives the exit code.
std::function<int()> addTrainAdvisor(CLI::App& train);

}  // namespace ordo::cli
