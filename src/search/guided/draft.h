// Different programs near one that is known to be good, for an objective too dear to search with: some are
// drawn here, by a cheap one, and measured elsewhere.
#pragma once

#include <optional>
#include <vector>

#include "search/evaluation/evaluator.h"
#include "search/guided/policy_draft.h"
#include "support/rng.h"

namespace ordo::search {

struct DraftOptions {
  std::size_t wanted = 32;
  std::size_t actions =
      static_cast<std::size_t>(-1);  // so many of the evaluator's, from the first, are drawn
  std::size_t fixed = 0;             // so many of the first of `start` stay first
  std::size_t most_changes = 4;      // actions before `start`, after it, or between it and itself once more
  unsigned surplus = 4;              // times as many are drawn as are wanted
  std::uint64_t seed = 1;            // of chance
  std::optional<PolicyDraftOptions> policy = std::nullopt;
};

// Up to `wanted` sequences around `start`, each of which makes a program of its own, other than that of
// `start`. Half are those that are best by the evaluator's objective, the others are drawn by chance from
// what was found, because that objective is a weak guess at what is wanted. Fewer, and perhaps none, if the
// evaluator is done before. With a policy, half of what is wanted are its choices, as far as it has so many
// that differ, and all that is said above is of the others. REQUIRES: `start` has as many as are fixed.
// Fails as the evaluator's status() does, and with kUnsupported if `start` does or the policy does not fit.
Result<std::vector<Evaluation>> draft(Evaluator& evaluator, const Sequence& start,
                                      const DraftOptions& options);

}  // namespace ordo::search
