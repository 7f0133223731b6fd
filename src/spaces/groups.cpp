#include "spaces/groups.h"

#include <string_view>
#include <unordered_map>
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
  std::unordered_map<std::string, std::size_t> known[2];
  for (env::ActionIndex index = 0; index < actions.size(); ++index) {
    const auto [pass, parameters] = parts(actions[index]);
    const bool is_attribute = actions[index].kind == env::ActionKind::kAttribute;
    const auto [place, is_new] = known[is_attribute].emplace(pass, groups.size());
    if (is_new) groups.push_back({std::string(pass), {}, {}});
    groups[place->second].actions.push_back(index);
    groups[place->second].parameters.emplace_back(parameters);
  }
  return groups;
}

}  // namespace ordo::spaces
