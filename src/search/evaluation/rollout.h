// Rollouts: sequences that are decided on the way, state by state.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/evaluation/lane.h"
#include "search/evaluation/memory.h"
#include "search/evaluation/state_graph.h"

namespace ordo::search {

// Where a rollout is. Views that end with the call.
struct RolloutState {
  const Hash128& hash;
  std::span<const env::Observation> observations;
  // Actions that are known to lead nowhere from here: they leave the program as it is, or fail.
  std::span<const env::ActionIndex> dead;
};

// From where `start` leads on, `choose` is asked at each state for the next action; nothing ends it. An
// action that leaves the program as it is becomes no part of the sequence: `choose` is asked again in the
// same state, and to choose it once more ends the rollout there. One that fails ends it, as it would end a
// sequence. `ended`, if there is one, is told the state that a rollout has ended in unless it failed: where
// it was cut off, `choose` has not seen that state. Both are called on the thread of a lane, for different
// rollouts at the same time.
struct Rollout {
  using Choose =
      std::function<std::optional<env::ActionIndex>(const Sequence& so_far, const RolloutState& state)>;
  using Ended = std::function<void(const Sequence& actions, const RolloutState& state)>;
  Sequence start;
  Choose choose;
  Ended ended = {};
  Effort effort = Effort::kScreened;  // for what it ends with
};

// The next of `actions` that leads anywhere from `state`, of which the first `taken` are behind; nothing
// after the last.
std::optional<env::ActionIndex> nextOf(const Sequence& actions, std::size_t& taken,
                                       const RolloutState& state);

struct RolloutEnd {
  Sequence actions;
  // Of `actions`, as far as somebody had to go there: the session has still to take the last `behind` of
  // them, or it is null and has to take all.
  Replay replay;
  std::size_t behind = 0;
  std::shared_ptr<const SeenState> state;  // where it ended; null where the start fails

  bool arrived() const { return replay.session != nullptr && behind == 0; }
};

// Brings the session of a rollout that has not failed to where the rollout ended.
Status arrive(Lane& lane, RolloutEnd& end);

// `late` is asked before each action: once it is true the rollout ends where it is. What it has done so far
// is an answer, and on a large program a whole rollout takes minutes. REQUIRES: rollout.start is no longer
// than `max_length`; `graph` is of the same program and observations.
Result<RolloutEnd> rollOut(Lane& lane, StateGraph& graph, const Rollout& rollout,
                           const std::vector<std::string>& observations, std::size_t max_length,
                           const std::function<bool()>& late);

}  // namespace ordo::search
