#include "python/bindings/features.h"

#include <algorithm>

#include "policy/view.h"

namespace ordo::python {
namespace {

std::optional<double> valueOf(const env::EpisodeProgram& program, const std::string& name) {
  const auto found = program.values.find(name);
  return found == program.values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Result<Features> Features::create(std::shared_ptr<const env::EpisodeSpec> episodes,
                                  const std::vector<std::string>& actions, std::string objective,
                                  std::uint32_t max_length, bool only) {
  Features features(std::move(episodes), actions.size());
  ORDO_TRY_ASSIGN(features.preference_, policy::preferenceOf(objective));
  features.objective_ = std::move(objective);
  features.max_length_ = max_length;
  features.only_ = only;
  for (std::size_t i = 0; i < policy::kInputs.size(); ++i) {
    const auto& sensors = features.episodes_->sensors;
    const auto found = std::ranges::find(sensors, policy::kInputs[i].name, &env::Sensor::name);
    if (found == sensors.end())
      return fail(ErrorCode::kInvalidArgument, "policies need the observation {}", policy::kInputs[i].name);
    features.sensors_[i] = static_cast<std::size_t>(found - sensors.begin());
  }
  for (const env::Action& action : features.episodes_->actions) {
    const auto found = std::ranges::find(actions, action.name);
    features.known_.push_back(found == actions.end() ? policy::kOtherAction
                                                     : static_cast<std::uint32_t>(found - actions.begin()));
  }
  if (std::ranges::count(features.known_, policy::kOtherAction) == std::ssize(features.known_))
    return fail(ErrorCode::kInvalidArgument, "the policy knows none of the actions of this space");
  return features;
}

std::vector<std::int64_t> Features::actions() const {
  std::size_t count = 0;
  for (const std::uint32_t known : known_) {
    if (known != policy::kOtherAction) count = std::max<std::size_t>(count, known + 1);
  }
  std::vector<std::int64_t> actions(count, -1);
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (known_[i] != policy::kOtherAction) actions[known_[i]] = static_cast<std::int64_t>(i);
  }
  return actions;
}

Status Features::encode(const env::Episode& episode, std::int32_t number, std::span<float> row) {
  policy::Situation situation;
  Start& start = starts_[number];
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const env::Observation now = episode.observation(sensors_[i]);
    if (episode.actions().empty()) start[i].assign(now.bytes.begin(), now.bytes.end());
    situation.observations[i] = {{now.dtype, now.shape, start[i]}, now};
  }
  std::vector<std::uint32_t> history;
  for (const env::ActionIndex action : episode.actions()) {
    if (action != env::kPipe) history.push_back(known_[action]);
  }
  situation.history = history;
  situation.preference = preference_;
  situation.start_value = valueOf(episode.program(), objective_ + "/initial");
  situation.baseline_value = valueOf(episode.program(), objective_ + "/clang-Oz");
  if (policy::knownInEachState(objective_))
    situation.value = static_cast<double>(policy::totalInstructions(situation.observations.front().now));
  situation.steps = static_cast<std::uint32_t>(history.size());
  situation.max_steps = max_length_;
  situation.only = only_;
  return encoder_.encode(situation, row);
}

}  // namespace ordo::python
