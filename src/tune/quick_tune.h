// Tuning in a hurry, as part of a build: a search and nothing else. What a build makes of the answer is
// checked by whoever asked; there are no proofs, figures or explanations here (tune/tune.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "engine/knowledge.h"
#include "env/metric.h"
#include "search/evaluation/budget.h"
#include "spaces/space.h"
#include "support/error.h"
#include "tune/function_memory.h"

namespace ordo::tune {

struct QuickOptions {
  std::string objective = env::kTextBytes;
  // After the first answer, which is tried however little time there is, as is what the policy says at once.
  // Less than the baseline takes is as good as 0: no more than that.
  double seconds = 0.2;
  engine::Learned learned = {};
  // All there are (engine/limits.h), and the baseline is within each.
  std::vector<std::string> limits = {};
  // The best of earlier searches, from which this one goes on; with another seed it looks elsewhere.
  std::vector<env::Action> known = {};
  std::uint64_t seed = 1;  // of chance
  bool functions = true;   // whether each function may have a sequence of its own, if there is time to search
  bool similar = false;    // ByFunctionOptions::similar
  FunctionMemory* memory = nullptr;         // of functions that others have searched for; may be null
  const std::atomic<bool>* stop = nullptr;  // once true, the best so far is the answer; may be null
};

struct QuickAnswer {
  // Nothing: the baseline's own pipeline is best. No actions: the program as it is.
  std::optional<std::vector<env::Action>> actions;
  double baseline = 0;          // of the objective
  double tuned = 0;             // never more than `baseline`, nor than what fewer seconds give
  std::vector<double> amounts;  // that the baseline has of the limits' metrics, without those of any
  // That a sequence of their own was looked for, and of these the ones that the memory knew.
  std::size_t functions = 0, remembered = 0;
};

// REQUIRES: `input` has bitcode, baseline, pipeline and settings of the code generator. Errors are those of
// the search.
Result<QuickAnswer> quickTune(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                              const QuickOptions& options);

// What a search tries first for `objective` in programs of `kind` (engine/knowledge.h), whatever else they
// look like: search::firstAnswer() of the file `knowledge`. Nothing is run for it. Errors are those of
// search::parseKnowledge().
Result<std::vector<env::Action>> firstAnswer(const engine::Input& input, const spaces::Space& space,
                                             const std::string& objective, std::string_view kind,
                                             const std::string& knowledge);

}  // namespace ordo::tune
