#include "app/decisions.h"

#include <algorithm>

namespace ordo::app {

std::vector<Decision> Decisions::standing(const std::vector<Decision>& decisions) {
  std::vector<Decision> kept;
  for (auto at = decisions.begin(); at != decisions.end(); ++at) {
    const auto about_the_same = [&](const Decision& later) { return later.part == at->part; };
    if (std::none_of(at + 1, decisions.end(), about_the_same)) kept.push_back(*at);
  }
  return kept;
}

}  // namespace ordo::app
