#include "search/guided/policy_draft.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "policy/choose.h"

namespace ordo::search {

// Of one try.
struct PolicyDraft::Trace {
  Rng rng{0};
  policy::Network::Scratch scratch;
  std::vector<float> features;
  std::size_t opened = 0;  // of what is fixed
};

PolicyDraft::PolicyDraft(Evaluator& evaluator, policy::View view, const Sequence& start, std::size_t fixed,
                         const PolicyDraftOptions& options, std::uint64_t seed)
    : evaluator_(&evaluator),
      view_(std::move(view)),
      fixed_(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(fixed)),
      loose_(start.begin() + static_cast<std::ptrdiff_t>(fixed), start.end()),
      options_(options),
      rng_(seed) {}

Result<PolicyDraft> PolicyDraft::create(Evaluator& evaluator, const Sequence& start, std::size_t fixed,
                                        const PolicyDraftOptions& options, std::uint64_t seed) {
  policy::Task task;
  task.objective = options.objective;
  task.max_steps = static_cast<std::uint32_t>(options.max_actions);
  ORDO_TRY_ASSIGN(policy::View view,
                  policy::View::create(options.policy, evaluator.spec().actions, std::move(task)));
  return PolicyDraft(evaluator, std::move(view), start, fixed, options, seed);
}

std::vector<Evaluation> PolicyDraft::draw(std::size_t tries, double temperature) {
  std::vector<Trace> traces(tries);
  std::vector<Rollout> rollouts;
  for (Trace& trace : traces) {
    trace.rng = Rng(rng_.next());
    trace.features.resize(view_.policy().encoder().width());
    rollouts.push_back({{}, [this, temperature, &trace](const Sequence& so_far, const RolloutState& state) {
                          return choose(temperature, trace, so_far, state);
                        }});
  }
  std::vector<Evaluation> results;
  const auto run = [&](std::vector<Rollout> batch) {
    std::ranges::move(evaluator_->evaluate(std::move(batch), view_.observations(), options_.max_actions),
                      std::back_inserter(results));
  };
  if (!view_.started() && !rollouts.empty()) {
    // Alone: all others are compared with what it sees first.
    std::vector<Rollout> first;
    first.push_back(std::move(rollouts.front()));
    rollouts.erase(rollouts.begin());
    run(std::move(first));
  }
  if (!rollouts.empty()) run(std::move(rollouts));
  if (!options_.stands_for || loose_ == Sequence{*options_.stands_for}) return results;
  std::vector<Sequence> batch;
  for (const Evaluation& result : results) batch.push_back(meant(result.actions));
  return evaluator_->evaluate(std::move(batch), Effort::kFull);
}

std::optional<env::ActionIndex> PolicyDraft::choose(double temperature, Trace& trace, const Sequence& so_far,
                                                    const RolloutState& state) {
  const auto see = [&] { return view_.see(so_far, state.observations, false, trace.features); };
  if (!view_.started() && !see()) return std::nullopt;
  while (trace.opened < fixed_.size()) {
    const env::ActionIndex next = fixed_[trace.opened++];
    if (std::ranges::find(state.dead, next) == state.dead.end()) return next;
  }
  if (!see()) return std::nullopt;
  const policy::Network::Output output = view_.policy().evaluate(trace.features, trace.scratch);
  std::vector<std::uint8_t> alive(evaluator_->spec().actions.size(), 1);
  for (const env::ActionIndex action : state.dead) alive[action] = 0;
  std::vector<std::uint8_t> legal = view_.binding().legal(alive);
  const std::size_t stop = legal.size() - 1;
  if (so_far.size() <= fixed_.size()) legal[stop] = 0;
  const auto action = policy::sampledChoice(output.logits, legal, temperature, trace.rng);
  if (!action || *action == stop) return std::nullopt;
  return view_.binding().actions()[*action];
}

Sequence PolicyDraft::meant(const Sequence& chosen) const {
  Sequence sequence;
  bool found = false;
  for (const env::ActionIndex action : chosen) {
    if (action == *options_.stands_for && !std::exchange(found, true))
      sequence.insert(sequence.end(), loose_.begin(), loose_.end());
    else
      sequence.push_back(action);
  }
  return sequence;
}

}  // namespace ordo::search
