#include "search/guide.h"

#include <algorithm>
#include <cmath>

namespace ordo::search {
namespace {

constexpr double kRate = 3;
constexpr float kMaxBias = 3;  // a pass can become e^3 times as likely, or as unlikely

Hash128 hashOf(std::span<const env::Observation> state) {
  std::string bytes;
  for (const env::Observation& observation : state)
    bytes.append(reinterpret_cast<const char*>(observation.bytes.data()), observation.bytes.size());
  return hashBytes(bytes);
}

}  // namespace

Guide::Guide(policy::View view, SearchContext& context) : view_(std::move(view)), context_(context) {
  legal_ = view_.binding().legal(std::vector<std::uint8_t>(context.actions().size(), 1));
  bias_.assign(legal_.size(), 0);
}

Result<std::unique_ptr<Guide>> Guide::create(std::shared_ptr<const policy::Policy> policy,
                                             SearchContext& context) {
  policy::Task task;
  task.objective = context.objective().metric;
  task.max_steps = static_cast<std::uint32_t>(context.maxLength());
  for (const Evaluation& seed : context.seeds()) {
    if (seed.measured()) (seed.actions.empty() ? task.start_value : task.baseline_value) = seed.value;
  }
  ORDO_TRY_ASSIGN(policy::View view,
                  policy::View::create(std::move(policy), context.actions(), std::move(task)));
  return std::unique_ptr<Guide>(new Guide(std::move(view), context));
}

std::vector<Evaluation> Guide::evaluate(std::vector<Proposal> proposals) {
  std::vector<Trace> traces(proposals.size());
  std::vector<Rollout> rollouts;
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    traces[i].rng = context_.rng().stream(rollouts_++);
    traces[i].features.resize(view_.policy().encoder().width());
    traces[i].gradient.assign(bias_.size(), 0);
    rollouts.push_back(
        {proposals[i].start, [this, &proposal = proposals[i], &trace = traces[i]](
                                 const Sequence& so_far, std::span<const env::Observation> state) {
           return choose(proposal, trace, so_far, state);
         }});
  }
  if (!view_.started()) {
    // Alone, because all others need to know what it sees first.
    ORDO_CHECK(proposals.front().start.empty(), "the first rollout starts from the program as given");
    std::vector<Rollout> first;
    first.push_back(std::move(rollouts.front()));
    rollouts.erase(rollouts.begin());
    std::vector<Evaluation> results = context_.evaluate(std::move(first), view_.observations());
    std::ranges::move(context_.evaluate(std::move(rollouts), view_.observations()),
                      std::back_inserter(results));
    learn(results, traces);
    return results;
  }
  std::vector<Evaluation> results = context_.evaluate(std::move(rollouts), view_.observations());
  learn(results, traces);
  return results;
}

// Whether a rollout has ended at `state`; from now on one has, if this one `ends` there.
bool Guide::endedAt(const Hash128& state, bool ends) {
  const std::lock_guard lock(mutex_);
  return ends ? !ends_.insert(state).second : ends_.contains(state);
}

// Of different rollouts at the same time; only the first of a search writes anything that others read.
std::optional<env::ActionIndex> Guide::choose(const Proposal& proposal, Trace& trace, const Sequence& so_far,
                                              std::span<const env::Observation> state) {
  if (proposal.once && trace.steps > 0) {
    if (trace.resumed == proposal.rest.size()) return std::nullopt;
    return proposal.rest[trace.resumed++];
  }
  if (!view_.see(so_far, state, trace.features)) return std::nullopt;
  const policy::Network::Output output = view_.policy().evaluate(trace.features, trace.scratch);
  std::vector<float> logits(output.logits.begin(), output.logits.end());
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] += bias_[i];
  const Hash128 seen = hashOf(state);
  std::vector<std::uint8_t> legal = legal_;
  const std::size_t stop = legal.size() - 1;
  if (proposal.once || so_far.empty() || so_far.size() < proposal.least || endedAt(seen, false))
    legal[stop] = 0;
  const std::optional<std::size_t> action =
      policy::sampledChoice(logits, legal, proposal.temperature, trace.rng);
  if (!action) return std::nullopt;
  const std::vector<double> probabilities =
      policy::probabilities(logits, legal, std::max(proposal.temperature, 1.0));
  for (std::size_t i = 0; i < probabilities.size(); ++i) trace.gradient[i] -= probabilities[i];
  trace.gradient[*action] += 1;
  ++trace.steps;
  if (*action != stop) return view_.binding().actions()[*action];
  endedAt(seen, true);
  return std::nullopt;
}

void Guide::learn(std::span<const Evaluation> results, std::span<const Trace> traces) {
  // Costs of those that have one, by the objective where all were measured.
  std::vector<double> costs;
  for (const Evaluation& result : results) costs.push_back(relativeCost(result, context_.seeds().front()));
  double sum = 0, squares = 0, count = 0;
  for (const double cost : costs) {
    if (!std::isfinite(cost)) continue;
    sum += cost;
    squares += cost * cost;
    ++count;
  }
  if (count < 2) return;
  const double mean = sum / count;
  const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
  if (deviation <= 0) return;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].verdict == Verdict::kSkipped) continue;
    // A failure is as bad as two deviations.
    const double advantage =
        std::isfinite(costs[i]) ? std::clamp((mean - costs[i]) / deviation, -2.0, 2.0) : -2;
    for (std::size_t logit = 0; logit < bias_.size(); ++logit) {
      const double step = kRate * advantage * traces[i].gradient[logit] / count;
      bias_[logit] = std::clamp(bias_[logit] + static_cast<float>(step), -kMaxBias, kMaxBias);
    }
  }
}

}  // namespace ordo::search
