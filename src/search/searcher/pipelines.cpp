#include "search/searcher/pipelines.h"

#include <algorithm>

namespace ordo::search {

std::vector<Sequence> pipelines(const SearchContext& context) {
  std::vector<Sequence> result;
  const auto add = [&](Sequence sequence) {
    if (!sequence.empty() && std::ranges::find(result, sequence) == result.end())
      result.push_back(std::move(sequence));
  };
  for (const Evaluation& seed : context.seeds()) add(seed.actions);
  for (env::ActionIndex action = 0; action < context.actions().size(); ++action) {
    if (isHeavy(context.actions()[action])) add({action});
  }
  return result;
}

}  // namespace ordo::search
