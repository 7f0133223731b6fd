#include "runtime/decisions.h"

#include <algorithm>

namespace ordo::runtime {

std::vector<Decision> Decisions::standing(const std::vector<Decision>& decisions) {
  std::vector<Decision> kept;
  for (auto at = decisions.begin(); at != decisions.end(); ++at) {
    const auto about_the_same = [&](const Decision& later) { return later.part == at->part; };
    if (std::none_of(at + 1, decisions.end(), about_the_same)) kept.push_back(*at);
  }
  return kept;
}

env::ActionIndex Decisions::find(env::SessionSpec& spec, const env::Action& action) {
  const auto known = std::ranges::find(spec.actions, action.name, &env::Action::name);
  const auto index = static_cast<env::ActionIndex>(known - spec.actions.begin());
  if (known == spec.actions.end()) spec.actions.push_back(action);
  return index;
}

}  // namespace ordo::runtime
