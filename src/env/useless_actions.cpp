#include "env/useless_actions.h"

#include <algorithm>

namespace ordo::env {
namespace {

constexpr std::size_t kRememberedStates = 4096;

}  // namespace

void UselessActions::note(const Hash128& state, ActionIndex action, bool failed) {
  if (const auto known = by_state_.find(state);
      known != by_state_.end() &&
      std::ranges::find(known->second, action, &Useless::action) != known->second.end())
    return;
  if (by_state_.size() >= kRememberedStates) by_state_.clear();
  by_state_[state].push_back({action, failed});
}

void UselessActions::mask(const Hash128& state, bool no_effect, std::span<std::uint8_t> out) const {
  const auto known = by_state_.find(state);
  if (known == by_state_.end()) return;
  for (const Useless& useless : known->second) {
    if (useless.failed || no_effect) out[useless.action] = 0;
  }
}

}  // namespace ordo::env
