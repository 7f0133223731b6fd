// What a searcher sees of a search: the actions, the seeds, chance, a way to evaluate and an end.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "search/evaluation/evaluator.h"
#include "search/knowledge/knowledge.h"
#include "support/rng.h"

namespace ordo::search {

class SearchContext {
 public:
  // Called after a batch with every candidate that was the best so far when it was answered.
  using OnImprovement = std::function<void(const Evaluation&)>;

  // `seeds` are evaluated already, and at least one of them is measured. Of the evaluator's actions the first
  // `actions` are for searchers.
  SearchContext(Evaluator& evaluator, std::vector<Evaluation> seeds, std::size_t max_length, Rng rng,
                OnImprovement on_improvement = {}, Knowledge knowledge = {},
                std::size_t actions = std::numeric_limits<std::size_t>::max());

  // For a method that asks in other ways than those below, and for as much as they would.
  Evaluator& evaluator() { return evaluator_; }

  // Processor time of the calling thread inside of evaluate(), in seconds; the rest is the searcher's own,
  // and with one lane so is what Rollout::choose takes.
  double evaluatingCpuSeconds() const { return evaluating_cpu_s_; }

  // REQUIRES of the caller: not empty.
  std::span<const env::Action> actions() const {
    const std::span<const env::Action> all = evaluator_.spec().actions;
    return all.first(std::min(actions_, all.size()));
  }

  const Objective& objective() const { return evaluator_.objective(); }

  // The starting points: usually the empty sequence and the baseline's composite action.
  const std::vector<Evaluation>& seeds() const { return seeds_; }

  // What was learned from other programs; usually empty.
  const Knowledge& knowledge() const { return knowledge_; }

  // No sequence may be longer. At least 1, and at least the length of every seed.
  std::size_t maxLength() const { return max_length_; }

  Rng& rng() { return rng_; }

  // A good number of sequences for one evaluate(): small enough to learn from, large enough for all lanes.
  std::size_t batchSize() const;

  // How many sequences are evaluated at the same time: the smallest batch that keeps every core busy.
  std::size_t lanes() const { return evaluator_.jobs(); }

  // One answer per sequence, in order. Once done(), the rest is kSkipped. What is good for most programs may
  // have far more instructions and yet fewer bytes: it deserves kFull, everything else the screening metric.
  // REQUIRES: none is longer than maxLength(); `effort` is not kFresh.
  std::vector<Evaluation> evaluate(std::vector<Sequence> batch, Effort effort = Effort::kScreened);

  // The same for sequences that are decided on the way, by what `observations` of the backend say of each
  // state; each is one evaluation. REQUIRES: no start is longer than maxLength(), where all of them end.
  std::vector<Evaluation> evaluate(std::vector<Rollout> batch, const std::vector<std::string>& observations);

  // Evaluates what somebody proposes for this program in full, but for what is longer than maxLength():
  // before a searcher runs, which finds what came of it among the leaders.
  void begin(std::vector<Sequence> proposals);

  // Evaluator::look().
  std::vector<Evaluator::Place> look(const std::vector<Sequence>& sequences,
                                     const std::vector<std::string>& observations);

  // The searcher should return.
  bool done() const { return evaluator_.done(); }

  // The share of the budget that is used, in [0, 1]; 0 as long as there is no limit.
  double progress() const { return evaluator_.progress(); }

  // Evaluations until the limit; infinite as long as there is none.
  double evaluationsLeft() const { return evaluator_.evaluationsLeft(); }

  // The best candidates with different programs, best first; among equals the shorter. Never empty.
  const std::vector<Evaluation>& leaders() const { return leaders_; }
  const Evaluation& best() const { return leaders_.front(); }

  env::ActionIndex randomAction() { return static_cast<env::ActionIndex>(rng_.below(actions().size())); }
  Sequence randomSequence(std::size_t length);
  // Of any length from 1 to maxLength().
  Sequence randomSequence() { return randomSequence(rng_.between(1, max_length_)); }

 private:
  void checkLength(const Sequence& sequence) const;
  void admit(const Evaluation& candidate);
  template <typename Candidate, typename Evaluate>
  std::vector<Evaluation> evaluateAll(std::vector<Candidate> batch, Evaluate evaluate);

  Evaluator& evaluator_;
  const std::size_t actions_;
  std::vector<Evaluation> seeds_;
  std::size_t max_length_;
  Rng rng_;
  OnImprovement on_improvement_;
  Knowledge knowledge_;
  double evaluating_cpu_s_ = 0;
  std::vector<Evaluation> leaders_;
};

}  // namespace ordo::search
