// Limits of a result in other metrics than its objective: "text_bytes=+5%" of the baseline,
// "text_bytes=20000", or "code_bytes=any".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/reach.h"
#include "env/session.h"
#include "search/evaluation/objective.h"
#include "support/error.h"

namespace ordo::engine {

struct AskedLimit {
  std::string metric;
  double amount = 0;      // in the metric's unit, or percent; infinite for "any"
  bool relative = false;  // to what the baseline has: percent more than that

  double most(double baseline) const { return relative ? baseline * (1 + amount / 100) : amount; }
};

// kInvalidArgument, with how it is written.
Result<AskedLimit> parseLimit(std::string_view text);

// kInvalidArgument if one of `limits` is none, of no metric of the backend, of one that is another each time,
// of `objective`, or of a metric that another is of.
Status checkLimits(const env::BackendInfo& info, const std::string& objective,
                   const std::vector<std::string>& limits);

// `asked`, and what holds unless one of them is of code_bytes: where bytes are the objective, other than
// those of code alone, code alone is not to grow, for what shrinks may be constants and unwind tables.
std::vector<std::string> usualLimits(const std::string& objective, std::vector<std::string> asked);

// What they come to for a program with this baseline, without those that allow any. kInvalidArgument if the
// baseline itself is beyond one: it has to be a result.
Result<std::vector<search::Limit>> limitsFor(const std::vector<std::string>& limits, const State& baseline);

}  // namespace ordo::engine
