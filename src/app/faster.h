// The objective `runtime`: a run says which way branches go (profile.h), calls, straight code and loops are
// decided by the clock (decision_search.h), and more candidates around that are drafted by a cheap metric and
// built or, with immediate rewards, found by quick measurements (immediate.h); all are timed
// (timing/selection.h). The result is one that is shown to be faster than the baseline, twice, or the
// baseline.
#pragma once

#include <optional>
#include <string>

#include "app/engine.h"
#include "app/input.h"
#include "app/tune.h"
#include "env/session.h"
#include "recipe/recipe.h"
#include "search/evaluation.h"
#include "search/evaluator.h"
#include "support/error.h"

namespace ordo::app {

struct Faster {
  search::Sequence best;  // {baseline} unless a candidate was shown to be faster
  Hash128 hash;           // of the program that was timed, if it was
  recipe::Timing timing;
  recipe::Figure figure;  // of recipe::kRuntime
  search::Statistics statistics;
  std::optional<Rewards> rewards = {};  // if they were immediate
  std::vector<Raced> raced = {};        // what the search ran, but for decisions about calls and loops
  std::vector<std::string> notes = {};
};

// Candidates are sequences of `spec`'s actions on its program, around the action `baseline`, within `limits`;
// a profile and decisions about the program's calls, straight code and loops are added to `spec`, and the
// result may have some. Takes the seconds of options.budget, of which the profile has 6 %, calls 6 %,
// straight code 4 %, loops 15 %, drawing 8 % and building 12 % at most; with immediate rewards all that has
// 50 %. If options.learned has a policy, half of the drafts are its choices. Once options.stop is up the
// result is the baseline, unless a candidate had won already. kInvalidArgument, with the remedy, if the
// program cannot be run or is too slow for the budget; as of loadPolicy() for a policy.
Result<Faster> findFaster(Engine& engine, const Input& input, env::SessionSpec& spec,
                          env::ActionIndex baseline, const std::vector<search::Limit>& limits,
                          const TuneOptions& options);

}  // namespace ordo::app
