#include "spaces/groups.h"

#include <map>
#include <string_view>
#include <utility>

namespace ordo::spaces {
namespace {

// The pass and the parameters that `action` names.
std::pair<std::string_view, std::string_view> parts(const env::Action& action) {
  const std::string_view name = action.name;
  if (action.kind == env::ActionKind::kAttribute) return {name.substr(1), name.substr(0, 1)};
  const std::size_t open = name.find('<');
  if (open == 0 || open == std::string_view::npos || !name.ends_with('>')) return {name, {}};
  return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
}

}  // namespace

std::vector<ActionGroup> groupActions(std::span<const env::Action> actions) {
  std::vector<ActionGroup> groups;
  // An attribute and a pass of the same name are not the same thing.
  std::map<std::pair<env::ActionKind, std::string>, std::size_t> known;
  for (env::ActionIndex index = 0; index < actions.size(); ++index) {
    const auto [pass, parameters] = parts(actions[index]);
    const auto [place, is_new] = known.emplace(std::pair(actions[index].kind, pass), groups.size());
    if (is_new) groups.push_back({std::string(pass), {}, {}});
    groups[place->second].actions.push_back(index);
    groups[place->second].parameters.emplace_back(parameters);
  }
  return groups;
}

}  // namespace ordo::spaces
