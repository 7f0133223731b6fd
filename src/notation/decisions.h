// The decisions that LLVM lets others take, as advisors know them (env/advisor.h).
#pragma once

#include <cstdint>
#include <optional>

#include "env/advisor.h"

namespace ordo::notation {

// Whether a call is inlined: "no" or "yes", by the 38 features of MLGO (Trofin et al., 2021,
// https://arxiv.org/abs/2101.04808) in LLVM 22's order, which its llvm/Analysis/InlineModelFeatureMaps.h has
// with what each means.
const env::DecisionSpec& inlineDecision();

// How wide an innermost loop is vectorised and how many iterations are interleaved: "llvm", which leaves it
// to LLVM and is what is usual, or a width and a count ("8x2"). Features are what LLVM's analyses say of the
// loop before it is vectorised (llvm/advisors/loop_features.h).
const env::DecisionSpec& vectorFactorsDecision();

// Lanes of a vector, and vectors at a time; 1 is "not at all".
struct VectorFactors {
  std::uint32_t width = 1, interleave = 1;
  bool operator==(const VectorFactors&) const = default;
};

// Those of an answer of that decision; nothing for "llvm". REQUIRES: one of its answers.
std::optional<VectorFactors> vectorFactorsOf(std::uint32_t answer);

}  // namespace ordo::notation
