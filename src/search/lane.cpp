#include "search/lane.h"

namespace ordo::search {
namespace {

// Takes `replay` on to `length` actions of the sequence, or to its culprit.
Status advance(Replay& replay, std::span<const env::ActionIndex> actions, std::size_t length) {
  if (replay.reached == length) return {};
  ORDO_TRY_ASSIGN(env::StepOutcome outcome,
                  replay.session->apply(actions.subspan(replay.reached, length - replay.reached)));
  replay.passes += outcome.applied;
  replay.reached += outcome.applied;
  replay.status = outcome.status;
  replay.detail = std::move(outcome.detail);
  return {};
}

}  // namespace

Result<Replay> Lane::replay(std::span<const env::ActionIndex> actions, std::span<const Hash128> prefixes,
                            bool fresh) {
  Replay replay;
  const PrefixCache::Snapshot snapshot = fresh ? PrefixCache::Snapshot{} : cache_.find(prefixes);
  if (snapshot.session != nullptr) {
    ORDO_TRY_ASSIGN(branch_, snapshot.session->fork());
    replay.session = branch_.get();
    replay.reached = snapshot.length;
    replay.from_snapshot = true;
  } else {
    if (!root_->history().empty()) ORDO_TRY(root_->reset());
    replay.session = root_.get();
  }
  const auto place = fresh ? std::nullopt : cache_.sight(actions, prefixes, replay.reached);
  if (place) {
    ORDO_TRY(advance(replay, actions, *place));
    if (!replay.ok()) return replay;
    ORDO_TRY_ASSIGN(auto copy, replay.session->fork());
    cache_.insert(prefixes[*place], std::move(copy));
    replay.took_snapshot = true;
  }
  ORDO_TRY(advance(replay, actions, actions.size()));
  return replay;
}

}  // namespace ordo::search
