// What a policy sees of the episodes of one search or exercise: all that stays the same from state to state,
// kept in one place.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace ordo::policy {

// TotalInsts.
std::int64_t totalInstructions(const env::Observation& autophase);

// What a policy's episodes have in common.
struct Task {
  std::string objective;                              // of kObjectives, one or several (env/preference.h)
  std::optional<double> start_value, baseline_value;  // the objective's, of the program as given and after
                                                      // the baseline, where they are known
  std::uint32_t max_steps = 0;
};

// Whether what a policy sees of any state tells the objective's value, without measuring. Then that value is
// the number of its instructions.
bool knownInEachState(std::string_view objective);

// What the objective's value is in a state, where that is known without measuring.
std::optional<double> knownValue(std::string_view objective, std::span<const env::Observation> state);

// How long an only answer goes on where the value is known of every state on its way: it need not know when
// to stop, because one can go back to the best.
inline constexpr std::size_t kOnlySteps = 24;

// The programs that the shipped weights were trained on have no more (docs/learned.md).
inline constexpr std::int64_t kFamiliarInstructions = 1200;

// see() may be called by several threads once started().
class View {
 public:
  // kUnsupported, with what is missing, unless the policy knows enough of the actions, and the objective;
  // errors of parsePreference().
  static Result<View> create(std::shared_ptr<const Policy> policy, std::span<const env::Action> actions,
                             Task task);

  // What is to be observed at each state, in this order.
  const std::vector<std::string>& observations() const { return observations_; }
  const Policy& policy() const { return *policy_; }
  const Binding& binding() const { return binding_; }

  // The program as given has been seen, with which all others are compared.
  bool started() const { return !start_.empty(); }

  // The program as given is no larger than kFamiliarInstructions. REQUIRES: started().
  bool familiar() const { return start_instructions_ <= kFamiliarInstructions; }

  // What the policy sees where `actions` have led to `state`. The first time it has to be the program as
  // given. Errors are those of Encoder::encode(). REQUIRES: as many features as the encoder writes.
  // `only` as in Situation.
  Status see(std::span<const env::ActionIndex> actions, std::span<const env::Observation> state, bool only,
             std::span<float> features);

 private:
  View(std::shared_ptr<const Policy> policy, Binding binding, Task task, const Preference& preference);

  std::shared_ptr<const Policy> policy_;
  Binding binding_;
  Task task_;
  Preference preference_;  // that task_.objective says
  std::vector<std::string> observations_;
  std::vector<std::vector<std::byte>> start_;  // the bytes of each observation
  std::int64_t start_instructions_ = 0;
};

}  // namespace ordo::policy
