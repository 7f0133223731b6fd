// What a step of an environment is worth. With C(t) the metric after step t (lower is better), C(0) that
// of the program as given and B that of a baseline, one step earns (C(t-1) - C(t)) / S, where S is
//
//   METRIC                  1        raw, in the metric's unit
//   METRIC/initial          C(0)     the share of the program that went away
//   METRIC/BASELINE         B        the same in units of the baseline's result
//   METRIC/gap:BASELINE     C(0)-B   CompilerGym's: 1 is as good as the baseline, above is better
//
//   EXPERIMENT/BASELINE@end what only trying the finished program tells (env/metric.h): C is a multiple of
//                           what the baseline takes, measured beside it, and C(0) is the baseline's own, 1
//
// so that an episode of T steps returns (C(0) - C(T)) / S. With "@end" behind it, the last step earns all
// of that and the others nothing, which saves measuring in between. S is never clamped: a program for
// which it is not positive (a baseline that gains nothing, an empty program) has no such reward, and
// scale() says so. CompilerGym divides by max(C(0)-B, 1) instead (llvm_rewards.py).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/metric.h"
#include "support/error.h"

namespace ordo::env {

struct Reward {
  enum class Unit { kRaw, kInitial, kBaseline, kGap };

  std::string metric = kIrInstructions;
  Unit unit = Unit::kRaw;
  std::string baseline;  // "clang-Oz"; "" if the unit needs none
  bool at_end = false;

  std::string name() const;
  // S; kInvalidArgument with the figures and what to use instead if it is not positive.
  Result<double> scale(double initial, double baseline_value) const;
};

// Reads what name() writes; of an experiment if it is among the metrics. kInvalidArgument that suggests the
// nearest of the known names and says what there is.
Result<Reward> parseReward(std::string_view text, const std::vector<std::string>& metrics,
                           const std::vector<std::string>& baselines);

// All there are: for each metric first those paid at each step, then those at the end; for each of these
// raw, then normalised, then the gaps.
std::vector<Reward> allRewards(const std::vector<std::string>& metrics,
                               const std::vector<std::string>& baselines);

// Its definition in one line, for people.
std::string definition(const Reward& reward);

}  // namespace ordo::env
