// The decisions that LLVM lets others take, as advisors know them (env/advisor.h).
#pragma once

#include "env/advisor.h"

namespace ordo::notation {

// Whether a call is inlined: "no" or "yes", by the 38 features of MLGO (Trofin et al., 2021,
// https://arxiv.org/abs/2101.04808) in LLVM 22's order, which its llvm/Analysis/InlineModelFeatureMaps.h has
// with what each means.
const env::DecisionSpec& inlineDecision();

}  // namespace ordo::notation
