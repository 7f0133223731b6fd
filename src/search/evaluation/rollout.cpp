#include "search/evaluation/rollout.h"

#include <algorithm>

namespace ordo::search {
namespace {

// A rollout on its way. The session follows only where it has to: as long as all is known, it stays behind.
class Traveller {
 public:
  Traveller(Lane& lane, StateGraph& graph, const std::vector<std::string>& observations)
      : lane_(lane), graph_(graph), request_{.hash = true, .observations = observations} {}

  // False if the start fails.
  Result<bool> begin(const Sequence& start) {
    end_.actions = start;
    const Hash128 place = prefixHashes(start).back();
    end_.state = graph_.at(place);
    if (end_.state != nullptr) return true;
    ORDO_TRY(arrive(lane_, end_));
    if (!end_.replay.ok()) return false;
    request_.actions.clear();
    ORDO_TRY_ASSIGN(const env::StepReport report, end_.replay.session->step(request_));
    if (!report.outcome.ok()) {
      end_.replay.status = report.outcome.status;
      end_.replay.detail = report.outcome.detail;
      return false;
    }
    end_.state = graph_.place(place, std::make_shared<SeenState>(report));
    return true;
  }

  // False if the rollout ends here: the action fails, or is known to change nothing.
  Result<bool> take(env::ActionIndex action) {
    const Hash128 from = end_.state->hash();
    if (std::optional<StateGraph::Step> known = graph_.follow(from, action)) {
      if (known->to == nullptr) return failed(action, std::move(known->failure));
      if (known->to->hash() == from) return false;
      end_.actions.push_back(action);
      end_.state = std::move(known->to);
      ++end_.behind;
      return true;
    }
    if (!end_.arrived()) {
      ORDO_TRY(arrive(lane_, end_));
      if (!end_.replay.ok()) return false;
    }
    request_.actions = {action};
    ORDO_TRY_ASSIGN(env::StepReport report, end_.replay.session->step(request_));
    end_.replay.passes += report.outcome.applied;
    if (!report.outcome.ok()) {
      StateGraph::Failure failure{report.outcome.status, std::move(report.outcome.detail)};
      graph_.fail(from, action, failure);
      return failed(action, std::move(failure));
    }
    std::shared_ptr<const SeenState> to = graph_.link(from, action, std::make_shared<SeenState>(report));
    if (to->hash() == from) return true;
    end_.replay.reached += 1;
    end_.actions.push_back(action);
    end_.state = std::move(to);
    return true;
  }

  const RolloutEnd& end() const { return end_; }
  RolloutEnd finish() && { return std::move(end_); }

 private:
  bool failed(env::ActionIndex action, StateGraph::Failure failure) {
    end_.replay.reached = end_.actions.size();
    end_.actions.push_back(action);
    end_.replay.status = failure.status;
    end_.replay.detail = std::move(failure.detail);
    return false;
  }

  Lane& lane_;
  StateGraph& graph_;
  env::StepRequest request_;
  RolloutEnd end_;
};

}  // namespace

std::optional<env::ActionIndex> nextOf(const Sequence& actions, std::size_t& taken,
                                       const RolloutState& state) {
  while (taken < actions.size()) {
    const env::ActionIndex action = actions[taken++];
    if (std::ranges::find(state.dead, action) == state.dead.end()) return action;
  }
  return std::nullopt;
}

Status arrive(Lane& lane, RolloutEnd& end) {
  const std::size_t passes = end.replay.passes;
  if (end.replay.session == nullptr) {
    ORDO_TRY_ASSIGN(end.replay, lane.replay(end.actions, prefixHashes(end.actions), false));
    end.replay.passes += passes;
  } else {
    ORDO_TRY_ASSIGN(env::StepOutcome outcome,
                    end.replay.session->apply(std::span(end.actions).last(end.behind)));
    end.replay.passes += outcome.applied;
    end.replay.reached += outcome.applied;
    end.replay.status = outcome.status;
    end.replay.detail = std::move(outcome.detail);
  }
  end.behind = 0;
  return {};
}

Result<RolloutEnd> rollOut(Lane& lane, StateGraph& graph, const Rollout& rollout,
                           const std::vector<std::string>& observations, std::size_t max_length,
                           const std::function<bool()>& late) {
  Traveller traveller(lane, graph, observations);
  ORDO_TRY_ASSIGN(bool goes_on, traveller.begin(rollout.start));
  while (goes_on && traveller.end().actions.size() < max_length && !late()) {
    const SeenState& state = *traveller.end().state;
    const std::vector<env::ActionIndex> dead = graph.dead(state.hash());
    const std::optional<env::ActionIndex> next =
        rollout.choose(traveller.end().actions, {state.hash(), state.observations(), dead});
    if (!next) break;
    ORDO_TRY_ASSIGN(goes_on, traveller.take(*next));
  }
  const RolloutEnd& end = traveller.end();
  if (rollout.ended && end.replay.ok() && end.state != nullptr) {
    const std::vector<env::ActionIndex> dead = graph.dead(end.state->hash());
    rollout.ended(end.actions, {end.state->hash(), end.state->observations(), dead});
  }
  return std::move(traveller).finish();
}

}  // namespace ordo::search
