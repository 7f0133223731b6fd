#include "search/evaluation/state_graph.h"

namespace ordo::search {

SeenState::SeenState(const env::StepReport& report) : hash_(report.hash) {
  bytes_.reserve(report.observations.size());
  for (const env::Observation& observation : report.observations) {
    const auto* const first = reinterpret_cast<const char*>(observation.bytes.data());
    const std::string& bytes = bytes_.emplace_back(first, observation.bytes.size());
    observations_.push_back({observation.dtype, observation.shape, std::as_bytes(std::span(bytes))});
  }
}

std::shared_ptr<const SeenState> StateGraph::intern(std::shared_ptr<const SeenState> state) {
  const auto found = nodes_.find(state->hash());
  if (found != nodes_.end()) return found->second.state;
  if (nodes_.size() < kMaxStates) nodes_[state->hash()].state = state;
  return state;
}

std::shared_ptr<const SeenState> StateGraph::at(const Hash128& sequence) const {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(sequence);
  return found == places_.end() ? nullptr : found->second;
}

std::optional<StateGraph::Step> StateGraph::follow(const Hash128& from, env::ActionIndex action) const {
  const std::lock_guard lock(mutex_);
  const auto node = nodes_.find(from);
  if (node == nodes_.end()) return std::nullopt;
  if (const auto failure = node->second.failures.find(action); failure != node->second.failures.end())
    return Step{nullptr, failure->second};
  const auto next = node->second.next.find(action);
  if (next == node->second.next.end()) return std::nullopt;
  return Step{nodes_.at(next->second).state, {}};
}

std::vector<env::ActionIndex> StateGraph::dead(const Hash128& state) const {
  const std::lock_guard lock(mutex_);
  const auto node = nodes_.find(state);
  return node == nodes_.end() ? std::vector<env::ActionIndex>() : node->second.dead;
}

std::shared_ptr<const SeenState> StateGraph::place(const Hash128& sequence,
                                                   std::shared_ptr<const SeenState> state) {
  const std::lock_guard lock(mutex_);
  state = intern(std::move(state));
  if (places_.size() < kMaxStates) places_[sequence] = state;
  return state;
}

std::shared_ptr<const SeenState> StateGraph::link(const Hash128& from, env::ActionIndex action,
                                                  std::shared_ptr<const SeenState> to) {
  const std::lock_guard lock(mutex_);
  to = intern(std::move(to));
  const auto node = nodes_.find(from);
  if (node == nodes_.end() || !nodes_.contains(to->hash())) return to;
  const bool added = node->second.next.emplace(action, to->hash()).second;
  if (added && to->hash() == from) node->second.dead.push_back(action);
  return to;
}

void StateGraph::fail(const Hash128& from, env::ActionIndex action, Failure failure) {
  const std::lock_guard lock(mutex_);
  const auto node = nodes_.find(from);
  if (node == nodes_.end()) return;
  if (node->second.failures.emplace(action, std::move(failure)).second) node->second.dead.push_back(action);
}

}  // namespace ordo::search
