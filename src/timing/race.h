// Which of many programs may be faster than a baseline: a quick look at all of them, then a longer one at the
// better half, and so on, each run beside one of the baseline. It claims nothing; a trial does (trial.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/clock.h"
#include "support/error.h"
#include "support/rng.h"
#include "timing/runner.h"

namespace ordo::timing {

// A baseline, candidates, and what runs them. One thread at a time.
class Field {
 public:
  virtual ~Field() = default;
  virtual std::size_t size() const = 0;
  // Of the baseline, and as Arm::kCandidate of the candidate that was entered last.
  virtual Runner& runner() = 0;
  virtual Status enter(std::size_t candidate) = 0;
  // A runner of the same two, built anew and with their code at other addresses. Valid until the next call.
  virtual Result<Runner*> rebuild(std::size_t candidate) = 0;
  // Why a candidate cannot be the result, however fast it is, or "". Asked of those that are to have a trial,
  // since it may take as long as to make one.
  virtual Result<std::string> problemOf(std::size_t) { return std::string(); }
};

struct RaceOptions {
  Quantity quantity = Quantity::kCpu;
  double budget_s = 20;       // exceeded if it is too little for two runs of each that remains, each round
  std::size_t finalists = 3;  // it ends when that many are left
  std::uint64_t seed = 1;     // of the order
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::size_t left)> on_round = {};
};

// How a candidate did.
struct Standing {
  std::size_t candidate = 0;
  std::vector<double> pairs = {};  // log-ratios of times, baseline to candidate
  std::string failure = {};        // what it did wrong, or ""

  bool sound() const { return failure.empty(); }
  // The median of its pairs; -infinity for one that failed or never ran.
  double score() const;
};

// Runs the candidate of `standing` and the baseline once each, in any order, and adds the pair, or what the
// candidate did wrong; nothing once options.stop is up. Errors as of race().
Status runPair(Field& field, const RaceOptions& options, Rng& rng, Standing& standing);

// All candidates, those that went on for longer first, and of these the better first; those that failed last.
// Sequential halving (Karnin, Koren and Somekh, ICML 2013): each round has an equal share of the budget.
// kUnavailable if the quantity is not counted here, kInvalidArgument if the baseline fails: one of ours has
// run it before.
Result<std::vector<Standing>> race(Field& field, const Clock& clock, const RaceOptions& options);

}  // namespace ordo::timing
