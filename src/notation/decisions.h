// The decisions that LLVM lets others take, as advisors know them (env/advisor.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

// Which live ranges the greedy register allocator evicts to make room for another one: those in the n-th
// register that it could have, or "self", none. By the 21 tensors of MLGO in LLVM 22's order; a number that
// there is for each answer is the feature "NAME[n]", tensor by tensor.
const env::DecisionSpec& evictDecision();

inline constexpr std::size_t kEvictCandidates = 33;
struct EvictTensor {
  const char* name;
  bool is_float;  // else a whole number of 64 bits
  std::size_t count = kEvictCandidates;
};
std::span<const EvictTensor> evictTensors();

// LLVM divides by what may be nothing or without an end: 0 for what is no number, and at most a million.
float boundedFeature(float value);

// 1 for each answer that `features` allow: of evictDecision() by its mask, of others all. REQUIRES: as many
// features as the decision has.
std::vector<std::uint8_t> allowedBy(const env::DecisionSpec& spec, std::span<const float> features);

}  // namespace ordo::notation
