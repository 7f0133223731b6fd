// The correctness gate: whether an optimised program still does what its original does, by all means that
// this program and this machine offer, and which these were (docs/checking.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/behaviour.h"
#include "differ/report.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "support/error.h"

namespace ordo::check {

struct CheckOptions {
  double seconds = 5;    // for comparing functions, about
  double limit_s = 300;  // and at most, with the compiling
  std::uint64_t seed = 1;
  bool run = true;  // the program, by itself and under sanitizers
  int retries = 2;  // of runs that went wrong
  double alive_seconds = 60;
};

struct Checked {
  // In order: ir, output, address, source, functions, alive; those that options leave out are not there.
  std::vector<Check> checks;
  std::optional<differ::Report> functions;

  bool ok() const;  // nothing failed
  // The best that was done: "ran and compared", "functions compared (...)", "verified IR only".
  std::string assurance() const;
};

// Checks `optimized`, bitcode that `actions` made of the program of `input`; of these only the choices of the
// code generator count, and only for what is run. An error is a failure of ours, or kCorrupt for what is no
// module; what is wrong with the program is a check that failed.
Result<Checked> check(engine::Engine& engine, const engine::Input& input, const std::string& optimized,
                      const std::vector<env::Action>& actions, const CheckOptions& options);

// The part of it that compares functions.
Check checkFunctions(const std::string& original, const std::string& optimized, const CheckOptions& options,
                     std::optional<differ::Report>& report);

}  // namespace ordo::check
