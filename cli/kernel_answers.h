// What can be said of a kernel without measuring anything: the policy's schedule, the step `greedy`, and what
// the model of costs would try first; each measured in the window of the result, to see what it is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/experiment.h"
#include "support/clock.h"
#include "support/json.h"

namespace ordo::cli {

struct Answer {
  std::string name;                     // "policy", "greedy", "costs"
  std::vector<std::string> steps = {};  // empty where there is none, and `why` says why
  std::string why = {};
  double seconds = 0;  // that it took to find, without opening the kernel
  std::optional<env::Claim> claim = {};
};

// The policy's answer: the first proposal, step by step. `settings` as SessionSpec::settings of the backend.
// kNotFound where there is none.
Result<Answer> policyAnswer(engine::Engine& engine, const engine::Input& input, const Clock& clock,
                            const std::string& settings = "");

// Each in turn with `baseline`. One that fails says so itself.
std::vector<Answer> measureAnswers(engine::Engine& engine, const engine::Input& input, env::Session& baseline,
                                   const Clock& clock, std::uint64_t seed);

// A line for each.
void print(const std::vector<Answer>& answers);
Json toJson(const std::vector<Answer>& answers);

}  // namespace ordo::cli
