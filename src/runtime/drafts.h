// Programs near others, drawn generation by generation: what a search by the clock chooses from
// (immediate.h).
#pragma once

#include <set>
#include <vector>

#include "runtime/immediate.h"
#include "search/evaluation/evaluator.h"
#include "search/guided/draft.h"
#include "support/error.h"
#include "support/rng.h"

namespace ordo::runtime {

// One thread at a time. The evaluator must outlive it.
class Drafts {
 public:
  // Features are relative to `start`, with which all begins; the last of the evaluator's limits is one of
  // them. Of `like`, what is drawn and stays first, the policy and the seed count. A generation takes
  // `seconds` at most. Fails as the evaluator's status() does.
  static Result<Drafts> open(search::Evaluator& evaluator, search::Sequence start,
                             const search::DraftOptions& like, double seconds);

  // Up to `wanted` programs a few actions from `around`, none of which it gave before. Their features are by
  // how many times more each action is there than in what all began with, and by how much, as logarithms, the
  // objective and the last limit's metric have grown. None if `around` fails by now: few passes depend on
  // addresses.
  Result<std::vector<Proposal>> propose(const search::Sequence& around, std::size_t wanted);

 private:
  Drafts(search::Evaluator& evaluator, search::Sequence start, const search::DraftOptions& like,
         double seconds);
  std::vector<double> featuresOf(const search::Evaluation& draft) const;

  search::Evaluator* evaluator_;
  search::Sequence start_;
  search::DraftOptions like_;
  double seconds_;
  Rng rng_;
  search::Evaluation base_;
  std::set<Hash128> given_;  // states
};

}  // namespace ordo::runtime
