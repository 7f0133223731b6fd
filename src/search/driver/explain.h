// Says what each action of a sequence is good for, by leaving it out.
#pragma once

#include "search/evaluation/evaluator.h"

namespace ordo::search {

struct Contribution {
  std::size_t index = 0;  // in the sequence
  env::ActionIndex action = 0;
  // The value without the action minus the value with it: what it saves. Interacting actions share
  // their effect, so these do not add up to the whole gain.
  double delta = 0;
  env::StepStatus status = env::StepStatus::kOk;  // of the sequence without it; `delta` is 0 unless ok
};

// One contribution per action of `winner`, in order; fewer if the evaluator was done before.
// REQUIRES: winner.measured().
std::vector<Contribution> explain(Evaluator& evaluator, const Evaluation& winner);

}  // namespace ordo::search
