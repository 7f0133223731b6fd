#include "env/caution.h"

#include <algorithm>

namespace ordo::env {

std::string measuring(std::string_view metric) { return fmt::format("measure:{}", metric); }

const Action& Caution::meaning(ActionIndex action) const {
  static const Action pipe{"a fork", "", "session:pipe"};
  return action == kPipe ? pipe : spec_.actions[action];
}

std::size_t Caution::harmless(std::span<const ActionIndex> actions) const {
  const auto suspect = std::ranges::find_if(
      actions, [&](ActionIndex action) { return ledger_.mentions(meaning(action).text); });
  return static_cast<std::size_t>(suspect - actions.begin());
}

bool Caution::killsIn(const Hash128& state, ActionIndex action) const {
  return ledger_.contains(state, meaning(action).text);
}

bool Caution::neededFor(const StepRequest& request) const {
  return harmless(request.actions) < request.actions.size() ||
         std::ranges::any_of(request.metrics, [&](const std::string& metric) { return mayKill(metric); });
}

bool Caution::masksAny() {
  look();
  return !mentioned_.empty();
}

void Caution::mask(const Hash128& state, std::vector<std::uint8_t>& legal) {
  look();
  for (const ActionIndex action : mentioned_) {
    if (!killsIn(state, action)) continue;
    if (legal.empty()) legal.assign(spec_.actions.size(), 1);
    legal[action] = 0;
  }
}

// Asking for each action takes longer than a small step, and the ledger hardly ever learns of another.
void Caution::look() {
  const std::size_t now = ledger_.actions();
  if (now == known_) return;
  known_ = now;
  mentioned_.clear();
  for (ActionIndex action = 0; action < spec_.actions.size(); ++action) {
    if (ledger_.mentions(spec_.actions[action].text)) mentioned_.push_back(action);
  }
}

}  // namespace ordo::env
