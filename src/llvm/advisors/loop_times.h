// What each answer of the decision notation::vectorFactorsDecision() is worth, measured: a loop compiled by
// the pipeline of `clang-22 -O3 -c` with every one of them, loaded, and called in turns.
//
// It runs what was compiled in this process, and LLVM can crash on widths that nobody has tried before: who
// calls it does so in a process that may end.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::advisors {

struct LoopTimes {
  std::vector<float> features;  // of its one loop
  // For each of the counts, nanoseconds of a call with each answer: the least of several rounds. NaN where
  // the answer is not allowed. Answers that make the same code have the same time.
  std::vector<std::vector<double>> ns;
};

// `source` is that of an advice::LoopSource, and `counts` its counts. `flags` are clang's: "-mavx2".
// kUnsupported if LLVM asks about no loop or about more than one; kInternal if an answer makes it give other
// results; kUnavailable if it cannot be compiled.
Result<LoopTimes> timeLoop(std::string_view source, std::span<const long> counts,
                           const std::vector<std::string>& flags);

}  // namespace ordo::advisors
