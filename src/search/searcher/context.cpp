#include "search/searcher/context.h"

#include <algorithm>

#include "support/usage.h"

namespace ordo::search {
namespace {

// As many candidates as may have to be confirmed before one holds what it promised.
constexpr std::size_t kMaxLeaders = 16;

constexpr std::size_t kBatch = 32;
constexpr std::size_t kBatchPerLane = 4;  // so that lanes do not wait long for the last of a batch

bool leadsBefore(const Evaluation& a, const Evaluation& b) {
  return a.value != b.value ? a.value < b.value : a.actions.size() < b.actions.size();
}

}  // namespace

SearchContext::SearchContext(Evaluator& evaluator, std::vector<Evaluation> seeds, std::size_t max_length,
                             Rng rng, OnImprovement on_improvement, Knowledge knowledge, std::size_t actions)
    : evaluator_(evaluator),
      actions_(actions),
      seeds_(std::move(seeds)),
      max_length_(std::max<std::size_t>(max_length, 1)),
      rng_(rng),
      on_improvement_(std::move(on_improvement)),
      knowledge_(std::move(knowledge)) {
  for (const Evaluation& seed : seeds_) {
    max_length_ = std::max(max_length_, seed.actions.size());
    admit(seed);
  }
  ORDO_CHECK(!leaders_.empty(), "no seed could be measured");
}

std::size_t SearchContext::batchSize() const {
  return std::max<std::size_t>(kBatch, kBatchPerLane * evaluator_.jobs());
}

std::vector<Evaluation> SearchContext::evaluate(std::vector<Sequence> batch, Effort effort) {
  for (const Sequence& sequence : batch) checkLength(sequence);
  return evaluateAll(std::move(batch), [&](std::vector<Sequence> part) {
    return evaluator_.evaluate(std::move(part), effort);
  });
}

std::vector<Evaluation> SearchContext::evaluate(std::vector<Rollout> batch,
                                                const std::vector<std::string>& observations) {
  for (Rollout& rollout : batch) {
    checkLength(rollout.start);
    if (evaluator_.jobs() > 1) continue;
    rollout.choose = [this, choose = std::move(rollout.choose)](const Sequence& so_far,
                                                                const RolloutState& state) {
      const double before_s = threadCpuSeconds();
      const std::optional<env::ActionIndex> next = choose(so_far, state);
      evaluating_cpu_s_ -= threadCpuSeconds() - before_s;
      return next;
    };
  }
  return evaluateAll(std::move(batch), [&](std::vector<Rollout> part) {
    return evaluator_.evaluate(std::move(part), observations, max_length_);
  });
}

void SearchContext::begin(std::vector<Sequence> proposals) {
  std::erase_if(proposals, [this](const Sequence& proposal) { return proposal.size() > max_length_; });
  if (!proposals.empty()) evaluate(std::move(proposals), Effort::kFull);
}

std::vector<Evaluator::Place> SearchContext::look(const std::vector<Sequence>& sequences,
                                                  const std::vector<std::string>& observations) {
  const double cpu_before_s = threadCpuSeconds();
  std::vector<Evaluator::Place> places = evaluator_.look(sequences, observations);
  evaluating_cpu_s_ += threadCpuSeconds() - cpu_before_s;
  return places;
}

void SearchContext::checkLength(const Sequence& sequence) const {
  ORDO_CHECK(sequence.size() <= max_length_, "{} actions, at most {}", sequence.size(), max_length_);
}

template <typename Candidate, typename Evaluate>
std::vector<Evaluation> SearchContext::evaluateAll(std::vector<Candidate> batch, Evaluate evaluate) {
  const double cpu_before_s = threadCpuSeconds();
  std::vector<Evaluation> results = evaluate(std::move(batch));
  for (const Evaluation& result : results) admit(result);
  evaluating_cpu_s_ += threadCpuSeconds() - cpu_before_s;
  return results;
}

void SearchContext::admit(const Evaluation& candidate) {
  if (!candidate.measured()) return;
  const bool improves = leaders_.empty() || better(candidate, leaders_.front());
  const auto same = std::ranges::find(leaders_, candidate.state, &Evaluation::state);
  if (same != leaders_.end()) {
    if (!leadsBefore(candidate, *same)) return;
    leaders_.erase(same);
  }
  leaders_.insert(std::ranges::upper_bound(leaders_, candidate, leadsBefore), candidate);
  if (leaders_.size() > kMaxLeaders) leaders_.pop_back();
  if (improves && on_improvement_) on_improvement_(leaders_.front());
}

Sequence SearchContext::randomSequence(std::size_t length) {
  Sequence sequence(length);
  for (env::ActionIndex& action : sequence) action = randomAction();
  return sequence;
}

}  // namespace ordo::search
