// Has an env::Advisor decide which live ranges LLVM's greedy register allocator evicts to make room for one.
//
// LLVM's own advisor for models (MLGO's, Trofin et al., 2021, https://arxiv.org/abs/2101.04808) stays in
// charge: what may be evicted at all, what a case's features are, and that nobody evicts in circles. It
// speaks on pipes, and both ends of them are here, in one thread: it is first told to leave the register, by
// which its question is known, and asked again where the advisor wants something else than LLVM would do.
// So features are those of MLGO by construction, and stock clang is enough.
#pragma once

#include <functional>
#include <string_view>

#include "llvm/advisors/inline_advisor.h"

namespace ordo::advisors {

// For all code that is made in this process from now on, until it is called again: `make` is asked for the
// advisor, of the decision notation::evictDecision(), whenever the code of a module begins, by any thread.
// With nothing LLVM's own decides. An empty `make` is as if nobody had ever called this.
//
// An advisor is asked where its answer can differ: where LLVM's own choice is among those that MLGO allows,
// and there are at most 32 registers. At -O0 there is nothing to evict. Where no pipes can be made LLVM
// decides itself, and says so once on standard error.
struct EvictionScope {
  // Only where weights have learned, which features do not say: where code is to be small, for x86-64, and in
  // functions of at most kMostInstructions.
  bool as_learned = false;
  // If there is one, hears the function of each question.
  std::function<void(std::string_view function)> asked_in = {};
};
inline constexpr unsigned kMostInstructions = 1000;
void adviseEviction(MakeAdvisor make, EvictionScope scope = {});

// The same for weights that an option of LLVM's names, where it is set (llvm/advisors/eviction_choice.h);
// they come before what adviseEviction() was given.
void adviseByChoice();

}  // namespace ordo::advisors
