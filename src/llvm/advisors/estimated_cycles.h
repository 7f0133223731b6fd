// How long a module's code takes, by what LLVM's own tables say: nothing is run, and no clock decides.
//
// What an instruction costs is half-way between the target's reciprocal throughput and its latency, for code
// is bound by one or the other; and how often a block runs is what LLVM guesses from the shape of the code. A
// call costs what the callee does, and kCallCycles beside. It knows neither caches nor predictors nor what
// really happens: it is for comparing two versions of one module.
#pragma once

#include "support/error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace ordo::advisors {

// Of a call and its return; arguments are instructions of their own.
inline constexpr double kCallCycles = 5;

struct EstimatedCycles {
  double log_cycles = 0;    // mean over the functions that other modules may call, each run once
  double instructions = 0;  // of the module
};

// kUnsupported where no other module may call anything.
Result<EstimatedCycles> estimateCycles(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace ordo::advisors
