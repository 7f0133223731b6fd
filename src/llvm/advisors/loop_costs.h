// What an iteration of a loop costs by the target's tables, at each width: LLVM's vectorizer adds up the same
// numbers, for fewer widths, and knows more of what will become of each instruction.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class LLVMContext;
class Loop;
class ScalarEvolution;
class TargetTransformInfo;
class Value;
}  // namespace llvm

namespace ordo::advisors {

// How far apart what two iterations take from memory is.
struct Step {
  enum class Kind { kNext, kReversed, kStrided, kFixed, kScattered };
  Kind kind = Kind::kScattered;
  std::uint64_t elements = 0;  // of kStrided
};
Step stepOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::Value& pointer, unsigned bits);

// Whether the value is an affine function of the iteration: an index, or its share of an address.
bool isIndex(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::Value& value);

// Reciprocal throughput of one iteration, in the target's units, in a loop of so many lanes. REQUIRES: a loop
// that caseOf() asks about.
double costOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
              const llvm::TargetTransformInfo& target, unsigned width);

// What the target is good at, of which its registers say nothing (SSE2 has no 32-bit products): costs of a
// register of 32-bit products, of bytes made as wide as that, of the larger of two.
struct TargetCosts {
  float multiply = 0, extend = 0, largest = 0;
};
TargetCosts costsOf(const llvm::TargetTransformInfo& target, llvm::LLVMContext& context);

// For each answer of notation::vectorFactorsDecision() what an iteration costs, its share of what is left
// over when the loop has run between `least` and `most` times counted in; 0 for "llvm".
std::vector<double> estimatesOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                const llvm::TargetTransformInfo& target, std::uint64_t least,
                                std::uint64_t most);

// Of one of `least` to `most` iterations, what is left when `together` are taken at a time; half of that if
// nobody knows how many there are (`most` of 0).
double tailOf(std::uint64_t least, std::uint64_t most, unsigned together);

}  // namespace ordo::advisors
