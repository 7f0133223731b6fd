// A trial: two programs and a copy of the first, run again and again in turns, until it is clear which of the
// two is faster, or that this cannot be seen.
//
//   block  the three arms in a random order and then back (with two of them that is ABBA or BAAB), so that a
//          steady drift cancels in every difference
//   cell   one arm's turn: the least of a few runs, because noise only ever adds
//   pair   log(baseline) - log(other), each the mean of its two cells of the block; what is estimated from
//   look   after each quarter of the blocks: stop if it is clear, at levels that keep the promise
//   (sequential.h)
//
// The twin is judged like the candidate. Where a difference is seen between it and the baseline, of which it
// is a copy, the trial is void: whatever made that difference may have made the other.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/experiment.h"
#include "support/clock.h"
#include "support/error.h"
#include "timing/estimate.h"
#include "timing/runner.h"

namespace ordo::timing {

struct TrialOptions {
  Quantity quantity = Quantity::kCpu;
  double budget_s = 60;         // decides how many blocks are planned, after a first one that is not counted
  double share = 1;             // that budget_s is of what people give with --budget; for what they are told
  unsigned runs = 3;            // of a cell; fewer if the budget has no room for enough blocks otherwise
  double alpha = 0.025;         // the chance of a false claim, on each side
  double least_effect = 0.005;  // what is claimed is a difference of more than this share
  double most_drift = 0.25;     // void if the baseline's times changed by more between the halves of it
  std::uint64_t seed = 1;       // of the order in blocks and of the bootstrap
  std::size_t resamples = 4000;
  const std::atomic<bool>* stop = nullptr;  // ends the trial after the run under way
  std::function<void(unsigned done, unsigned planned)> on_block = {};
};

inline constexpr unsigned kFewestBlocks = 12;
inline constexpr unsigned kMostBlocks = 160;
inline constexpr unsigned kLooks = 4;
// A trial is void if others had more of the processor. Of processor time and counts little is lost to them
// but caches, and the twin shows what is; wall time is theirs as much as the program's.
inline constexpr double kMostOthers = 0.9, kMostOthersOfWall = 0.25;

using env::Verdict;

// "faster", "slower", "no difference shown", "void"
std::string_view name(Verdict verdict);

// A log-ratio of times, baseline to other: above 0 the other is faster.
struct Interval {
  double value = 0, low = 0, high = 0;
};

// What was read, block by block.
struct Evidence {
  std::vector<double> candidate, twin;            // pairs: log-ratios
  std::vector<double> baseline;                   // log of its time, the mean of its cells of a block
  std::array<std::vector<Reading>, kArms> cells;  // the run of each cell that was kept
};

struct Trial {
  Verdict verdict = Verdict::kVoid;
  std::string why;
  // Of the last look: over all looks of a trial, each misses the truth with chance 2 alpha at most.
  Interval candidate, twin;
  Evidence evidence;
  std::vector<double> fractions;  // of the looks that were taken
  unsigned planned = 0;           // blocks
  unsigned runs = 0;              // of a cell
  double others = 0;              // share of the processor, see Runner
  double drift = 0;               // of the baseline's time between the halves, as a share
  double seconds = 0;
  bool stopped = false;    // by TrialOptions::stop
  bool too_short = false;  // a void one whose budget had no room for it
  bool repeatable = true;  // a void one that another trial might not be: not if a program went wrong
};

// One trial. kUnavailable if the quantity is not counted here; a program that fails, or does not do what it
// should, makes the trial void.
Result<Trial> runTrial(Runner& runner, const Clock& clock, const TrialOptions& options);

// The two-sided p-value of a trial's claim: twice the least alpha at which its last look would still have
// made it (the repeated p-value of Jennison and Turnbull, Group Sequential Methods, 9.2). 1 for a void one;
// about 50 ms.
double pValue(const Trial& trial, const TrialOptions& options);

}  // namespace ordo::timing
