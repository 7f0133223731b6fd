#include "spaces/groups.h"

#include <map>
#include <string_view>
#include <utility>

namespace ordo::spaces {
std::vector<ActionGroup> groupActions(std::span<const env::Action> actions) {
  std::vector<ActionGroup> groups;
  // What is put on or taken away is not the same thing as a type of that name.
  std::map<std::pair<bool, std::string_view>, std::size_t> known;
  for (env::ActionIndex index = 0; index < actions.size(); ++index) {
    const auto [type, parameters, sign] = env::partsOf(actions[index].name);
    const auto [place, is_new] = known.emplace(std::pair(sign, type), groups.size());
    if (is_new) groups.push_back({std::string(type), {}, {}});
    groups[place->second].actions.push_back(index);
    groups[place->second].parameters.emplace_back(parameters);
  }
  return groups;
}

}  // namespace ordo::spaces
