// What a policy would do with a program, drawn from its choices: drafts for an objective too dear to search
// with (search/guided/draft.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/metric.h"
#include "policy/view.h"
#include "search/evaluation/evaluator.h"
#include "support/rng.h"

namespace ordo::search {

struct PolicyDraftOptions {
  std::shared_ptr<const policy::Policy> policy;
  std::string objective = env::kRuntime;  // one of policy::kObjectives
  std::size_t max_actions = 24;
  // The policy knows one action that stands for what is known to be good here: where it chooses that, it
  // means `start` without what is fixed of it.
  std::optional<env::ActionIndex> stands_for = std::nullopt;
};

// Draws sequences from a policy; one search at a time.
class PolicyDraft {
 public:
  // The first `fixed` actions of `start` come first in any case. kUnsupported if the policy knows too few of
  // the evaluator's actions, or not the objective. `evaluator` must outlive it.
  static Result<PolicyDraft> create(Evaluator& evaluator, const Sequence& start, std::size_t fixed,
                                    const PolicyDraftOptions& options, std::uint64_t seed);

  // So many tries, each of whose choices are drawn at `temperature`; some may be the same. Fewer once the
  // evaluator is done.
  std::vector<Evaluation> draw(std::size_t tries, double temperature);

 private:
  struct Trace;

  PolicyDraft(Evaluator& evaluator, policy::View view, const Sequence& start, std::size_t fixed,
              const PolicyDraftOptions& options, std::uint64_t seed);

  std::optional<env::ActionIndex> choose(double temperature, Trace& trace, const Sequence& so_far,
                                         const RolloutState& state);
  Sequence meant(const Sequence& chosen) const;

  Evaluator* evaluator_;
  policy::View view_;
  Sequence fixed_, loose_;  // of what it starts from
  PolicyDraftOptions options_;
  Rng rng_;
};

}  // namespace ordo::search
