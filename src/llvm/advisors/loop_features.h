// What LLVM's analyses say of an innermost loop before it is vectorised, as the decision
// notation::vectorFactorsDecision() has it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class Function;
class Loop;
class Module;
class ScalarEvolution;
class TargetTransformInfo;
}  // namespace llvm

namespace ordo::advisors {

// One case of the decision: what env::Question is made of. What is usual is answer 0.
struct LoopCase {
  std::vector<float> features;
  std::vector<std::uint8_t> allowed;
};

// Nothing for a loop that nobody is asked about: one that LLVM cannot vectorise as far as is seen at a glance
// (calls, several latches, a number of iterations that cannot be computed, odd types), and one of which
// somebody has already said what is to become of it (#pragma clang loop). Changes nothing.
//
// Widths above 1 are not allowed where floating-point numbers are carried from one iteration to the next
// without leave to add them in another order: LLVM would take a width for that leave.
std::optional<LoopCase> caseOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                               const llvm::TargetTransformInfo& target);

}  // namespace ordo::advisors
