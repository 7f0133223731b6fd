#include "search/driver/explain.h"

namespace ordo::search {

std::vector<Contribution> explain(Evaluator& evaluator, const Evaluation& winner) {
  std::vector<Sequence> batch;
  for (std::size_t i = 0; i < winner.actions.size(); ++i) {
    batch.push_back(winner.actions);
    batch.back().erase(batch.back().begin() + static_cast<std::ptrdiff_t>(i));
  }
  const std::vector<Evaluation> results = evaluator.evaluate(std::move(batch), Effort::kFull);

  std::vector<Contribution> contributions;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Evaluation& rest = results[i];
    if (rest.verdict == Verdict::kSkipped) continue;
    contributions.push_back({.index = i,
                             .action = winner.actions[i],
                             .delta = rest.measured() ? rest.value - winner.value : 0,
                             .status = rest.status});
  }
  return contributions;
}

}  // namespace ordo::search
