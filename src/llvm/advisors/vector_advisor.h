// Has an env::Advisor decide how wide LLVM vectorises each innermost loop and how many iterations it
// interleaves (NeuroVectorizer: Haj-Ali et al., 2020, https://arxiv.org/abs/1909.13639).
//
// A pass before the vectorizer asks, and leaves what differs in the loop's metadata as a width and a count,
// which the vectorizer takes in place of its cost model's. It is not told to vectorise at any price, as
// `#pragma clang loop vectorize(enable)` would: whether that is legal stays LLVM's to say, and who is refused
// is not warned.
#pragma once

#include "llvm/advisors/inline_advisor.h"

namespace llvm {
class PassBuilder;
}

namespace ordo::advisors {

// For the pipelines that `builder` will make: `make` is asked for the advisor, of the decision
// notation::vectorFactorsDecision(), when a module's first loop comes; with nothing, LLVM decides. Nobody is
// asked below -O2, in functions for which size counts, and about loops that caseOf() has nothing of.
void adviseVectorizing(llvm::PassBuilder& builder, MakeAdvisor make);

}  // namespace ordo::advisors
