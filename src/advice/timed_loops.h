// Loops of advice/loop_source.h, timed with each answer of the decision notation::vectorFactorsDecision():
// one line of JSON for each loop and target (docs/formats/advice-log.md), and what an advisor learns from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advice/loop_source.h"
#include "advice/search.h"
#include "env/advisor.h"
#include "support/error.h"

namespace ordo::advice {

// The loop "SEED/NUMBER". kInvalidArgument for any other name.
Result<LoopSource> loopNamed(std::string_view name);

struct TimedLoop {
  std::string name, target;
  std::string failure;  // why nothing is known, or ""
  std::vector<float> features;
  std::vector<long> counts;
  // For each of the counts, nanoseconds of a call with each answer; NaN where it is not allowed.
  std::vector<std::vector<double>> ns;
};

// One line, with the line's end. Times are kept to four digits.
std::string writeTimed(const TimedLoop& loop);

// kCorrupt with the reason for a line that does not fit the decision `spec`. `where` begins messages.
Result<TimedLoop> parseTimed(const env::DecisionSpec& spec, std::string_view line, const std::string& where);

// For each count an example: what is saved is the logarithm of the speedup over answer 0.
std::vector<Example> examplesOf(const TimedLoop& loop);

}  // namespace ordo::advice
