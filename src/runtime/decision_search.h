// Finds good decisions about a program's loops, or its calls, by the clock.
//
// Few of them matter and nothing cheap says which, so they are asked in three steps: those whose code a
// decision changes at all, by compiling; of these the hottest, by running one with each; and for one of these
// after the other the best of all that can be decided, beside what is decided already. A race decides
// (timing/race.h); it claims nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "runtime/built_field.h"
#include "runtime/decisions.h"
#include "search/evaluation/evaluator.h"
#include "support/clock.h"
#include "support/error.h"

namespace ordo::runtime {

struct DecisionSearchOptions {
  double budget_s = 20;    // exceeded by a build, or by one run of each that is in a race
  std::uint64_t seed = 1;  // of chance
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view)> on_step = {};
};

// What was run for it.
struct DecisionRaces {
  std::size_t candidates = 0;
  std::size_t refused = 0;  // of these, that did something else than the baseline
};

// Leaves on the bench the best it knows, best first, and few others; what is there already if no decision is
// better than none. `evaluator` counts instructions of the spec that `decisions` are in; what it finds
// beyond a limit is not built. REQUIRES: an empty bench, or on it what is to be bettered, first: `decisions`
// without one. Fails as the bench, the evaluator and races do.
Result<DecisionRaces> searchDecisions(BuiltField& bench, search::Evaluator& evaluator,
                                      const Decisions& decisions, const Clock& clock,
                                      const DecisionSearchOptions& options);

}  // namespace ordo::runtime
