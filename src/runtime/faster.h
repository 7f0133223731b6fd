// The objective `runtime`: a run says which way branches go (profile.h), calls, straight code and loops are
// decided by the clock (decision_search.h), and more candidates around that are drafted by a cheap metric and
// built or, with immediate rewards, found by quick measurements (immediate.h); all are timed
// (timing/selection.h). The result is one that is shown to be faster than the baseline, twice, or the
// baseline.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "recipe/recipe.h"
#include "runtime/immediate.h"
#include "runtime/options.h"
#include "search/evaluation/evaluation.h"
#include "search/evaluation/evaluator.h"
#include "support/error.h"

namespace ordo::runtime {

// A candidate that was run beside the baseline before any trial. The best of many was also lucky: its score
// is no estimate of what it is worth.
struct Raced {
  std::vector<std::string> actions;  // their names
  std::size_t pairs = 0;             // of runs
  double score = 0;                  // median of their log-ratios of times, baseline to candidate
  std::string failure = {};          // what it did wrong, or ""; then there is no score
};

struct Faster {
  search::Sequence best;  // {baseline} unless a candidate was shown to be faster
  Hash128 hash;           // of the program that was timed, if it was
  recipe::Timing timing;
  recipe::Figure figure;  // of env::kRuntime
  search::Statistics statistics;
  std::optional<Rewards> rewards = {};  // if they were immediate
  std::vector<Raced> raced = {};        // what the search ran, but for decisions about calls and loops
  std::vector<std::string> notes = {};
};

// Candidates are sequences of `spec`'s actions on its program, around the action `baseline`, within `limits`;
// a profile and decisions about the program's calls, straight code and loops are added to `spec`, and the
// result may have some. Takes options.budget_s, of which the profile has 6 %, calls 6 %,
// straight code 4 %, loops 15 %, drawing 8 % and building 12 % at most; with immediate rewards all that has
// 50 %. If options.learned has a policy, half of the drafts are its choices. Once options.stop is up the
// result is the baseline, unless a candidate had won already. kInvalidArgument, with the remedy, if the
// program cannot be run or is too slow for the budget; as of loadPolicy() for a policy.
Result<Faster> findFaster(engine::Engine& engine, const engine::Input& input, env::SessionSpec& spec,
                          env::ActionIndex baseline, const std::vector<search::Limit>& limits,
                          const FasterOptions& options);

}  // namespace ordo::runtime
