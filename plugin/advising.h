// Advisors inside the compiler, as ORDO_ADVISORS has it (docs/advisors.md): words between commas or on lines
// of a file, `@FILE`.
//
//   inline-size     a learned advisor by name, from data/advisors, or a path with ".safetensors"
//   evict, vectorize   the same; of other decisions, so that all may be named
//   usual, random, random:SEED    what LLVM does anyway; anything; of every decision
//   race            a copy of the process is advised, and the smaller code counts
//   log=FOLDER      each module's questions and answers in a file of their own (docs/formats/advice-log.md)
#pragma once

#include <string>

#include "support/error.h"

namespace llvm {
class Module;
class PassBuilder;
class TargetMachine;
class raw_pwrite_stream;
template <typename, typename...>
class AnalysisManager;
using ModuleAnalysisManager = AnalysisManager<Module>;
}  // namespace llvm

namespace ordo::plugin {

// Once, before all else here. Nothing happens without the variable. Under the drop-in compiler what is
// inlined is advised in a race. The error names the word that is wrong.
Status readAdvisors();

// For the analyses of every pipeline.
void addAdvisors(llvm::ModuleAnalysisManager& analyses);

// For every pipeline that the builder will make.
void addLoopAdvisors(llvm::PassBuilder& builder);

// Whether a module that a recipe has gone over is to have advised registers where that is less code: under
// the drop-in compiler, unless the recipe says itself whose registers.
bool areRegistersAdvised();

// The object of such a module; as LLVM makes it where that is not so. Errors are those of ir::emit().
Result<std::string> emitAdvised(llvm::Module& module, llvm::TargetMachine& machine);

// At the start of a pipeline that is this process's only one. REQUIRES: no other thread.
void startAdvisedRace(llvm::Module& module);

// Where there is a race and the advised code is smaller, writes its object to `out`: true. Never of the copy.
// REQUIRES: an object is wanted.
bool writeAdvised(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& out);

}  // namespace ordo::plugin
