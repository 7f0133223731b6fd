// A model of what sequences cost, learned from those that were evaluated, and the loop of searchers
// that ask the model before they ask the compiler.
//
// A forest sees of a sequence how often each action occurs and how early it does first. Costs are
// relative to the best seed; a failure costs as much as the worst.
#pragma once

#include <functional>

#include "search/searcher/context.h"
#include "search/searcher/forest.h"
#include "search/searcher/seen.h"

namespace ordo::search {

class Surrogate {
 public:
  // What is known of `context`'s seeds is learned first. `context` must outlive it.
  explicit Surrogate(SearchContext& context);

  // Learns of `results` with the next fit(); what was known already changes nothing.
  void observe(std::span<const Evaluation> results);

  // Grows a new forest, if anything was observed since the last.
  void fit();

  Forest::Prediction predict(const Sequence& sequence) const { return forest_.predict(encode(sequence)); }

  // By how much `sequence` should be expected to fall below the lowest cost observed.
  double expectedImprovement(const Sequence& sequence) const;

  // Actions by how much the forest makes of them, most first.
  std::vector<env::ActionIndex> byImportance() const;

  // The mean absolute error of what was predicted of the sequences observed last; infinite before fit().
  double error() const { return error_; }

  std::size_t observations() const { return costs_.size(); }
  bool knows(const Sequence& sequence) const { return seen_.contains(sequence); }

 private:
  Forest::Row encode(const Sequence& sequence) const;

  SearchContext& context_;
  Evaluation reference_;
  std::vector<Forest::Row> rows_;
  std::vector<double> costs_;
  double lowest_;
  Seen seen_;
  Forest forest_;
  std::size_t fitted_ = 0;  // observations that the forest has learned
  double error_;
};

struct Candidate {
  Sequence actions;
  double score = 0;  // higher is better
};

// Evaluates `initial` random sequences, and from then on those of the candidates that are new and score
// best, until the context is done. Each round evaluates an eighth of what is known, so that the time that
// learning takes grows no faster than the time that evaluating takes.
void searchBySurrogate(SearchContext& context, std::size_t initial,
                       const std::function<std::vector<Candidate>(const Surrogate&)>& propose);

}  // namespace ordo::search
