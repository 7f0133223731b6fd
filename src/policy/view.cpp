#include "policy/view.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace ordo::policy {

std::int64_t totalInstructions(const env::Observation& autophase) {
  std::int64_t count = 0;
  const std::span<const std::byte> counts = autophase.bytes;
  ORDO_CHECK(counts.size() >= (kTotalInsts + 1) * sizeof count, "{} bytes of counts", counts.size());
  std::memcpy(&count, counts.data() + kTotalInsts * sizeof count, sizeof count);
  return count;
}

bool knownInEachState(std::string_view objective) { return objective == kInstructions; }

std::optional<double> knownValue(std::string_view objective, std::span<const env::Observation> state) {
  if (!knownInEachState(objective)) return std::nullopt;
  return static_cast<double>(totalInstructions(state.front()));
}

View::View(std::shared_ptr<const Policy> policy, Binding binding, Task task, const Preference& preference)
    : policy_(std::move(policy)),
      binding_(std::move(binding)),
      task_(std::move(task)),
      preference_(preference) {
  for (const Input& input : kInputs) observations_.emplace_back(input.name);
}

Result<View> View::create(std::shared_ptr<const Policy> policy, std::span<const env::Action> actions,
                          Task task) {
  ORDO_TRY_ASSIGN(Binding binding, policy->bind(actions));
  ORDO_TRY_ASSIGN(const Preference preference, preferenceOf(task.objective));
  return View(std::move(policy), std::move(binding), std::move(task), preference);
}

Status View::see(std::span<const env::ActionIndex> actions, std::span<const env::Observation> state,
                 bool only, std::span<float> features) {
  ORDO_CHECK(state.size() == kInputs.size(), "{} observations", state.size());
  if (!started()) {
    ORDO_CHECK(actions.empty(), "the first state is that of the program as given");
    for (const env::Observation& observation : state)
      start_.emplace_back(observation.bytes.begin(), observation.bytes.end());
    start_instructions_ = totalInstructions(state.front());
  }
  Situation situation;
  for (std::size_t i = 0; i < state.size(); ++i)
    situation.observations[i] = {{state[i].dtype, state[i].shape, start_[i]}, state[i]};
  const std::vector<std::uint32_t> history = binding_.history(actions);
  situation.history = history;
  situation.preference = preference_;
  situation.start_value = task_.start_value;
  situation.baseline_value = task_.baseline_value;
  situation.value = knownValue(task_.objective, state);
  situation.steps = static_cast<std::uint32_t>(actions.size());
  situation.max_steps = task_.max_steps;
  situation.only = only;
  return policy_->encoder().encode(situation, features);
}

}  // namespace ordo::policy
