// One sequence of actions and what came of it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "env/session.h"

namespace ordo::search {

using Sequence = std::vector<env::ActionIndex>;

// Worst first.
enum class Verdict : std::uint8_t {
  kSkipped,   // never tried: the budget ended or the stop flag was raised
  kFailed,    // `status` says how
  kBeyond,    // valid, but beyond a limit; `detail` says which
  kScreened,  // valid, but too bad by the screening metric to be measured
  kMeasured,
};

struct Evaluation {
  Sequence actions;
  Verdict verdict = Verdict::kSkipped;
  env::StepStatus status = env::StepStatus::kOk;
  double value = std::numeric_limits<double>::infinity();   // the objective's; finite only if measured
  double screen = std::numeric_limits<double>::infinity();  // the screening metric's, where it was taken
  std::vector<double> amounts;                              // of the limits' metrics, if measured
  Hash128 state;                                            // of the resulting program, unless it failed
  bool cached = false;                                      // nothing was measured: this was known
  std::string detail;                                       // what the backend said about a failure
  std::uint64_t number = 0;                                 // it was the number-th evaluation, from 1
  double seconds = 0;  // when it was answered, since the evaluator's start

  bool measured() const { return verdict == Verdict::kMeasured; }
};

// Whether `a` is strictly better than `b`: measured before screened before failed, then by value.
// Screened candidates compare by what is known of them, so that a search that starts far from the
// best still sees which way is down.
inline bool better(const Evaluation& a, const Evaluation& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  if (a.verdict == Verdict::kMeasured) return a.value < b.value;
  return a.verdict == Verdict::kScreened && a.screen < b.screen;
}

// better(), and the earlier among equals: a total order of what one evaluator answered.
inline bool ranksBefore(const Evaluation& a, const Evaluation& b) {
  if (better(a, b) || better(b, a)) return better(a, b);
  return a.number < b.number;
}

// What `candidate` costs in units of `reference`: below 1 it is the better one. By the screening metric
// where one of them was screened; infinite for a failure. The same for every objective, whatever its unit.
inline double relativeCost(const Evaluation& candidate, const Evaluation& reference) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (candidate.verdict < Verdict::kScreened || reference.verdict < Verdict::kScreened) return kInfinity;
  const bool both_measured = candidate.measured() && reference.measured();
  const double cost = both_measured ? candidate.value : candidate.screen;
  const double unit = both_measured ? reference.value : reference.screen;
  if (unit > 0) return cost / unit;
  return cost > 0 ? kInfinity : 1;
}

}  // namespace ordo::search
