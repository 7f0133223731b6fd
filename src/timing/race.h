// Which of many candidates may be better than a baseline: a quick look at all of them, then a longer one at
// the better half, and so on. It claims nothing; a selection does (selection.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/experiment.h"
#include "support/clock.h"
#include "support/error.h"
#include "support/rng.h"

namespace ordo::timing {

struct RaceOptions {
  double budget_s = 20;       // exceeded if it is too little for two runs of each that remains, each round
  std::size_t finalists = 3;  // it ends when that many are left
  std::uint64_t seed = 1;     // of the order
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::size_t left)> on_round = {};
};

// How a candidate did.
struct Standing {
  std::size_t candidate = 0;
  std::vector<double> pairs = {};  // values of its glances
  std::string failure = {};        // what it did wrong, or ""

  bool sound() const { return failure.empty(); }
  // The median of its pairs; -infinity for one that failed or never ran.
  double score() const;
};

// Glances at the candidate of `standing` and adds what was seen, or what the candidate did wrong. Errors are
// those of the experiment.
Status runPair(env::Experiment& experiment, Rng& rng, Standing& standing);

// All candidates, those that went on for longer first, and of these the better first; those that failed last.
// Sequential halving (Karnin, Koren and Somekh, ICML 2013): each round has an equal share of the budget.
// Errors are those of the experiment.
Result<std::vector<Standing>> race(env::Experiment& experiment, const Clock& clock,
                                   const RaceOptions& options);

}  // namespace ordo::timing
