// The evaluator calls choose() for every step of every rollout, from many threads: it writes to the rollout's
// own Trace and, under a mutex, to ends_. Only the first rollout of a search also starts the view, which is
// why evaluate() runs that one alone. What is given comes first (the opening; the rest of a changed
// sequence), then the policy. After the batch, on one thread, learn() makes a step of the bias from the
// traces, and goBack() evaluates the best state passed on the way, if it is the best known.
#include "search/guided/guide.h"

#include <algorithm>
#include <cmath>

namespace ordo::search {
namespace {

constexpr double kRate = 3;
constexpr std::size_t kExpected = 512;  // states that are remembered
constexpr std::size_t kDrawn = 4;       // of which the best is promising
constexpr float kMaxBias = 3;           // a pass can become e^3 times as likely, or as unlikely

}  // namespace

Guide::Guide(policy::View view, SearchContext& context, const GuideOptions& options)
    : view_(std::move(view)), context_(context), options_(options) {
  bias_.assign(view_.policy().info().actions.size(), 0);
}

Result<std::unique_ptr<Guide>> Guide::create(std::shared_ptr<const policy::Policy> policy,
                                             SearchContext& context, const GuideOptions& options) {
  policy::Task task;
  task.objective = context.objective().metric;
  task.max_steps = static_cast<std::uint32_t>(context.maxLength());
  for (const Evaluation& seed : context.seeds()) {
    if (seed.measured()) (seed.actions.empty() ? task.start_value : task.baseline_value) = seed.value;
  }
  ORDO_TRY_ASSIGN(policy::View view,
                  policy::View::create(std::move(policy), context.actions(), std::move(task)));
  return std::unique_ptr<Guide>(new Guide(std::move(view), context, options));
}

std::vector<Evaluation> Guide::evaluate(std::vector<Proposal> proposals) {
  std::vector<Trace> traces(proposals.size());
  std::vector<Rollout> rollouts;
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    traces[i].rng = context_.rng().stream(rollouts_++);
    traces[i].features.resize(view_.policy().encoder().width());
    traces[i].gradient.assign(bias_.size(), 0);
    rollouts.push_back({proposals[i].start, [this, &proposal = proposals[i], &trace = traces[i]](
                                                const Sequence& so_far, const RolloutState& state) {
                          return choose(proposal, trace, so_far, state);
                        }});
    if (proposals[i].only) rollouts.back().effort = Effort::kFull;
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
    goBack(results, traces);
    return results;
  }
  std::vector<Evaluation> results = context_.evaluate(std::move(rollouts), view_.observations());
  learn(results, traces);
  goBack(results, traces);
  return results;
}

// Whether a rollout has ended at `state`; from now on one has, if this one `ends` there.
bool Guide::endedAt(const Hash128& state, bool ends) {
  const std::lock_guard lock(mutex_);
  return ends ? !ends_.insert(state).second : ends_.contains(state);
}

// Of different rollouts at the same time; only the first of a search writes anything that others read.
std::optional<env::ActionIndex> Guide::choose(const Proposal& proposal, Trace& trace, const Sequence& so_far,
                                              const RolloutState& state) {
  const auto value = policy::knownValue(context_.objective().metric, state.observations);
  if (value && *value < trace.least) {
    trace.least = *value;
    trace.least_at = so_far.size();
  }
  if (!view_.started() && !view_.see(so_far, state.observations, proposal.only, trace.features))
    return std::nullopt;
  if (const auto next = nextOf(proposal.opening, trace.opened, state)) return next;
  if (proposal.ends) return std::nullopt;
  if (proposal.once && so_far.size() > proposal.start.size())
    return nextOf(proposal.rest, trace.resumed, state);
  // One can neither go back from a wrong way nor compare it with others.
  if (proposal.only && !value && !view_.familiar()) return std::nullopt;
  if (!view_.see(so_far, state.observations, proposal.only, trace.features)) return std::nullopt;
  const policy::Network::Output output = view_.policy().evaluate(trace.features, trace.scratch);
  std::vector<float> logits(output.logits.begin(), output.logits.end());
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] += bias_[i];
  std::vector<std::uint8_t> alive(context_.actions().size(), 1);
  for (const env::ActionIndex action : state.dead) alive[action] = 0;
  std::vector<std::uint8_t> legal = view_.binding().legal(alive);
  const std::size_t stop = legal.size() - 1;
  const std::size_t least =
      proposal.only && value ? proposal.opening.size() + policy::kOnlySteps : proposal.least;
  if (proposal.once || so_far.empty() || so_far.size() < least || endedAt(state.hash, false)) legal[stop] = 0;
  const std::optional<std::size_t> action =
      policy::sampledChoice(logits, legal, proposal.temperature, trace.rng);
  if (!action) return std::nullopt;
  const std::vector<double> probabilities =
      policy::probabilities(logits, legal, std::max(proposal.temperature, 1.0));
  for (std::size_t i = 0; i < probabilities.size(); ++i) trace.gradient[i] -= probabilities[i];
  trace.gradient[*action] += 1;
  trace.expected.emplace_back(so_far, output.value);
  if (*action != stop) return view_.binding().actions()[*action];
  endedAt(state.hash, true);
  return std::nullopt;
}

// One can go back to the best state on the way of a rollout, whatever came after it.
void Guide::goBack(std::span<const Evaluation> results, std::span<const Trace> traces) {
  const Trace* best = nullptr;
  const Evaluation* result = nullptr;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (traces[i].least < (best == nullptr ? context_.best().value : best->least)) {
      best = &traces[i];
      result = &results[i];
    }
  }
  if (best == nullptr || !context_.best().measured()) return;
  context_.evaluate(std::vector<Sequence>{
      {result->actions.begin(), result->actions.begin() + static_cast<std::ptrdiff_t>(best->least_at)}});
}

Sequence Guide::promising() {
  const std::pair<Sequence, float>* best = nullptr;
  for (std::size_t i = 0; i < kDrawn && !expected_.empty(); ++i) {
    const auto& drawn = expected_[context_.rng().below(expected_.size())];
    if (best == nullptr || (!options_.unbounded && drawn.second > best->second)) best = &drawn;
  }
  return best == nullptr ? Sequence{} : best->first;
}

void Guide::learn(std::span<const Evaluation> results, std::span<const Trace> traces) {
  // Costs of those that have one, by the objective where all were measured.
  std::vector<double> costs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Evaluation known = results[i];
    known.value = std::min(known.value, traces[i].least);
    costs.push_back(relativeCost(known, context_.seeds().front()));
    for (const auto& [sequence, value] : traces[i].expected) {
      if (expected_.size() < kExpected) expected_.emplace_back();
      expected_[next_expected_] = {sequence, value};
      next_expected_ = (next_expected_ + 1) % kExpected;
    }
  }
  if (options_.shuffled) context_.rng().shuffle(std::span(costs));
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
