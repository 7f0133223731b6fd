#include "search/evaluation/lane.h"

namespace ordo::search {
// Takes `replay` on to `length` actions of the sequence, or to its culprit.
Status Lane::advance(Replay& replay, std::span<const env::ActionIndex> actions, std::size_t length) {
  while (replay.reached < length && replay.ok() && !replay.late) {
    const std::size_t count = late_ ? 1 : length - replay.reached;
    ORDO_TRY_ASSIGN(env::StepOutcome outcome, replay.session->apply(actions.subspan(replay.reached, count)));
    replay.passes += outcome.applied;
    replay.reached += outcome.applied;
    replay.status = outcome.status;
    replay.detail = std::move(outcome.detail);
    replay.late = late_ && late_();
  }
  return {};
}

// Goes on from the longest snapshot that is ahead of the replay, if there is one.
Result<bool> Lane::toSnapshot(Replay& replay) {
  const PrefixCache::Snapshot snapshot = cache_.find(replay.keys, replay.reached);
  if (snapshot.session == nullptr) return false;
  ORDO_TRY_ASSIGN(branch_, snapshot.session->fork());
  replay.session = branch_.get();
  replay.reached = snapshot.length;
  replay.from_snapshot = true;
  return true;
}

// Takes the replay on to `end`, leaving a snapshot on the way if one is due.
Status Lane::segment(Replay& replay, std::span<const env::ActionIndex> actions, std::size_t end) {
  if (const auto place = cache_.sight(actions.first(end), replay.keys, replay.reached)) {
    ORDO_TRY(advance(replay, actions, *place));
    if (!replay.ok() || replay.late) return {};
    ORDO_TRY_ASSIGN(auto copy, replay.session->fork());
    cache_.insert(replay.keys[*place], std::move(copy));
    replay.took_snapshot = true;
  }
  return advance(replay, actions, end);
}

Result<Replay> Lane::replay(std::span<const env::ActionIndex> actions, std::vector<Hash128> prefixes,
                            bool fresh, const Known& known, const Late& late) {
  Replay replay;
  replay.keys = std::move(prefixes);
  late_ = large_ && !fresh ? late : Late();
  bool forked = false;
  if (!fresh) {
    ORDO_TRY_ASSIGN(forked, toSnapshot(replay));
  }
  if (!forked) {
    if (!root_->history().empty()) ORDO_TRY(root_->reset());
    replay.session = root_.get();
  }
  if (fresh) {
    ORDO_TRY(advance(replay, actions, actions.size()));
    return replay;
  }
  // Segments end before heavy actions. There, what counts is the program, not how it came about.
  while (true) {
    const std::size_t end = cache_.nextHeavy(actions, replay.reached);
    ORDO_TRY(segment(replay, actions, end));
    if (!replay.ok() || replay.late || end == actions.size()) return replay;
    ORDO_TRY_ASSIGN(const Hash128 state, replay.session->stateHash());
    rekey(replay.keys, actions, end, state);
    if (known && known(std::span(replay.keys).subspan(end))) {
      replay.known = true;
      return replay;
    }
    ORDO_TRY(toSnapshot(replay));
  }
}

}  // namespace ordo::search
