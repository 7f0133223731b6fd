#include "search/knowledge/mine.h"

#include <algorithm>

namespace ordo::search {

std::vector<ActionPair> findSynergies(Evaluator& evaluator) {
  const std::vector<env::Action>& all = evaluator.spec().actions;
  std::vector<Sequence> singles{{}};
  for (env::ActionIndex action = 0; action < all.size(); ++action) {
    if (!isHeavy(all[action])) singles.push_back({action});
  }
  const std::vector<Evaluation> alone = evaluator.evaluate(singles, Effort::kFull);
  std::vector<ActionPair> synergies;
  for (std::size_t b = 1; b < singles.size(); ++b) {
    if (!better(alone[b], alone[0]) || !alone[0].measured()) continue;
    std::vector<Sequence> pairs;
    for (std::size_t a = 1; a < singles.size(); ++a) pairs.push_back({singles[a][0], singles[b][0]});
    for (const Evaluation& together : evaluator.evaluate(std::move(pairs), Effort::kFull)) {
      if (better(together, alone[b])) synergies.emplace_back(together.actions[0], together.actions[1]);
    }
  }
  return synergies;
}

std::vector<std::size_t> chooseCoreset(std::span<const std::vector<double>> costs, std::size_t size,
                                       std::vector<double> lowest) {
  std::vector<std::size_t> chosen;
  while (chosen.size() < size) {
    double most = 0;
    std::size_t best = costs.size();
    for (std::size_t i = 0; i < costs.size(); ++i) {
      double gain = 0;
      for (std::size_t program = 0; program < lowest.size(); ++program)
        gain += std::max(0.0, lowest[program] - costs[i][program]);
      if (gain <= most) continue;
      most = gain;
      best = i;
    }
    if (best == costs.size()) break;
    chosen.push_back(best);
    for (std::size_t program = 0; program < lowest.size(); ++program)
      lowest[program] = std::min(lowest[program], costs[best][program]);
  }
  return chosen;
}

std::vector<std::size_t> chooseCoreset(std::span<const std::vector<double>> costs, std::size_t size) {
  return chooseCoreset(costs, size, std::vector<double>(costs.empty() ? 0 : costs[0].size(), 1));
}

}  // namespace ordo::search
