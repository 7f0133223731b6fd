#include "search/searcher/descent.h"

#include <algorithm>

namespace ordo::search {
namespace {

Sequence extend(Sequence sequence, env::ActionIndex action) {
  sequence.push_back(action);
  return sequence;
}

}  // namespace

void descend(SearchContext& context, Evaluation here, double epsilon) {
  while (!context.done() && here.actions.size() < context.maxLength()) {
    const bool explore = context.rng().chance(epsilon);
    std::vector<Sequence> batch;
    if (explore) {
      batch.push_back(extend(here.actions, context.randomAction()));
    } else {
      for (env::ActionIndex action = 0; action < context.actions().size(); ++action) {
        batch.push_back(extend(here.actions, action));
      }
    }
    const std::vector<Evaluation> next = context.evaluate(std::move(batch));
    const Evaluation& best = *std::ranges::min_element(next, better);
    if (!explore && !better(best, here)) return;
    if (best.verdict >= Verdict::kScreened) here = best;
  }
}

}  // namespace ordo::search
