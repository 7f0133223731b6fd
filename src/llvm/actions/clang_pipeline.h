// The pipeline of `clang-22 -Oz` as clang builds it, which is not the same as its text read back: text has no
// word for the part that asks advisors (pipeline.cpp has it, because PassBuilder.h costs 5 s of compile
// time).
#pragma once

#include <functional>

namespace llvm {
class Module;
class TargetMachine;
template <typename, typename...>
class AnalysisManager;
using ModuleAnalysisManager = AnalysisManager<Module>;
}  // namespace llvm

namespace ordo::actions {

// Runs it. `analyses` may register some of the module's analyses before LLVM does.
void runClangOz(llvm::Module& module, llvm::TargetMachine& machine,
                const std::function<void(llvm::ModuleAnalysisManager&)>& analyses);

}  // namespace ordo::actions
