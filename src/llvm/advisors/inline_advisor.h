// Has an env::Advisor decide which calls LLVM's inliner inlines.
//
// LLVM's own inliner for models (MLInlineAdvisor) stays in charge: what may be inlined at all, what must be,
// what a case's features are and when a module has grown too much. A model runner of ours takes the place of
// the model and asks the advisor, and what LLVM's cost model would say is part of the question. So features
// are those of MLGO (Trofin et al., 2021, https://arxiv.org/abs/2101.04808) by construction.
#pragma once

#include <functional>
#include <memory>

#include "env/advisor.h"

namespace llvm {
class Module;
template <typename, typename...>
class AnalysisManager;
using ModuleAnalysisManager = AnalysisManager<Module>;
}  // namespace llvm

namespace ordo::advisors {

// For the pipeline whose analyses these are, before LLVM registers its own, in the thread that will run it:
// `make` is asked for the advisor, of the decision notation::inlineDecision(), whenever a module's inliner
// begins. With nothing, LLVM's own decides, as if this had not been called; so does it, and nobody is asked,
// where a link is still to come, unless `before_link`.
using MakeAdvisor = std::function<std::unique_ptr<env::Advisor>()>;
void adviseInlining(llvm::ModuleAnalysisManager& analyses, MakeAdvisor make, bool before_link = false);

}  // namespace ordo::advisors
