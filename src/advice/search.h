// Which single decisions of a module pay: each is tried against what is best so far, with all that comes
// after it as usual, and kept if the outcome is smaller. What was tried is what advisors learn from.
//
// Questions before the one that is changed are the same again, because the same answers were given to them;
// so a decision is known by its place, and gains add up.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "env/advice_log.h"
#include "env/advisor.h"
#include "support/error.h"

namespace ordo::advice {

// A case, and what is saved by each answer in place of the usual one: 0 for that, NaN where nobody tried.
struct Example {
  std::vector<float> features;
  std::uint32_t usual = 0;
  std::vector<float> saved;  // bytes

  bool operator==(const Example&) const = default;
};

// What an advisor does to a module.
struct Tried {
  double cost = 0;  // bytes
  env::AdviceLog log;
};
using Try = std::function<Result<Tried>(env::Advisor&)>;

struct SearchLimits {
  std::size_t tries = 64;
  std::uint64_t seed = 1;  // of which questions are tried where they are more than that
  // If there is one, ends the search between two questions: what was found is kept.
  std::function<bool()> enough = {};
};

struct Found {
  double usual = 0, best = 0;            // bytes
  std::vector<std::uint32_t> answers;    // that make the best; then what is usual
  std::size_t questions = 0, tries = 0;  // in the usual compile; compiles in all
  std::vector<Example> examples;
};

// A try that fails is passed over. The error is that of the usual compile, or that the module asks nothing.
Result<Found> searchDecisions(const env::DecisionSpec& spec, const Try& attempt, const SearchLimits& limits);

// Found by one line of JSON (docs/formats/advice-log.md).
std::string writeFound(std::string_view module, const Found& found);

// The module and what was found of a line; Found::answers and tries are not kept. kCorrupt with the reason.
// `where` begins messages.
struct FoundLine {
  std::string module;
  std::string failure;  // why nothing was found, or ""
  Found found;
};
Result<FoundLine> parseFound(const env::DecisionSpec& spec, std::string_view line, const std::string& where);

// The line of a module of which nothing is known but why.
std::string writeFailure(std::string_view module, std::string_view reason);

}  // namespace ordo::advice
