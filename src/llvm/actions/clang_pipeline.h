// The pipelines of `clang-22 -Oz` and `-O3` as clang builds them, which is not the same as its text read
// back: text has no word for the part that asks advisors (pipeline.cpp has it, because PassBuilder.h costs 5
// s of compile time).
#pragma once

#include <functional>

namespace llvm {
class Function;
class Module;
class PassBuilder;
class TargetMachine;
template <typename, typename...>
class AnalysisManager;
using ModuleAnalysisManager = AnalysisManager<Module>;
using FunctionAnalysisManager = AnalysisManager<Function>;
}  // namespace llvm

namespace ordo::actions {

// Runs it. `analyses` may register some of the module's analyses before LLVM does.
void runClangOz(llvm::Module& module, llvm::TargetMachine& machine,
                const std::function<void(llvm::ModuleAnalysisManager&)>& analyses);

// Runs that of -O3. `prepare` may add to its builder.
void runClangO3(llvm::Module& module, llvm::TargetMachine& machine,
                const std::function<void(llvm::PassBuilder&)>& prepare);

// Runs the first half of that of -O3, in which calls are inlined and what that gives is simplified, but no
// loop is vectorised or unrolled by a number that nobody knows. `analyses` as of runClangOz().
void simplifyAtClangO3(llvm::Module& module, llvm::TargetMachine& machine,
                       const std::function<void(llvm::ModuleAnalysisManager&)>& analyses);

// In the pipelines that `builder` will make at -O2 and above, not where size counts: calls `visit` with each
// function right before loops are vectorised, in loop-simplify form. It may change metadata only.
using VisitFunction = std::function<void(llvm::Function&, llvm::FunctionAnalysisManager&)>;
void beforeVectorizing(llvm::PassBuilder& builder, VisitFunction visit);

}  // namespace ordo::actions
