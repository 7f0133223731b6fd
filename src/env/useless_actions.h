// What an episode has learned of actions that did nothing, or failed, in some state, so as to mask them
// there.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "env/session.h"

namespace ordo::env {

// A memory of some thousand states: when it is full it begins anew.
class UselessActions {
 public:
  // The first word about an action in a state stands. `failed`: it did worse than nothing.
  void note(const Hash128& state, ActionIndex action, bool failed);

  // Sets the bytes of those that failed in `state` to 0, and with `no_effect` of those that did nothing.
  void mask(const Hash128& state, bool no_effect, std::span<std::uint8_t> out) const;

  void clear() { by_state_.clear(); }

 private:
  struct Useless {
    ActionIndex action;
    bool failed;
  };
  std::unordered_map<Hash128, std::vector<Useless>> by_state_;
};

}  // namespace ordo::env
