// Advisors inside the compiler, as ORDO_ADVISORS has it (docs/advisors.md): words between commas or on lines
// of a file, `@FILE`.
//
//   inline-size     a learned advisor by name, from data/advisors, or a path with ".safetensors"
//   evict, vectorize   the same; of other decisions, so that all may be named
//   usual, random, random:SEED    what LLVM does anyway; anything; of every decision
//   race            a copy of the process is advised, and the smaller code counts; nobody is advised where
//                   more than an object is made, or something said (plugin/one_object.h)
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

// At the start of a pipeline that is this process's only one, and ends at the gate (plugin/rival.h).
// REQUIRES: no other thread.
void startAdvisedRace(llvm::Module& module);

// The object of a copy (plugin/rival.h). Where the drop-in compiler listens, what a recipe has gone over gets
// advised registers if that is less code, unless the recipe says itself whose registers. Errors are those of
// ir::emit().
Result<std::string> emitOfCopy(llvm::Module& module, llvm::TargetMachine& machine);

// Of the compiler: where advised code is smaller, of a race or of a recipe as above, writes its object to
// `out`: true. The module stays as it is. REQUIRES: an object is wanted, and nothing else; no other thread.
bool writeAdvised(llvm::Module& module, llvm::TargetMachine& machine, bool has_recipe,
                  llvm::raw_pwrite_stream& out);

}  // namespace ordo::plugin
