// What a policy makes of the states of one program: how likely each action is there, and what spoke for it.
// The policy need not have had a part in choosing them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "policy/attribution.h"
#include "policy/view.h"
#include "support/error.h"

namespace ordo::tune {

// Something about a state that spoke for an action, or against it (policy/attribution.h).
struct Clue {
  std::string feature;  // "autophase.NumLoadInst", "history.sroa", "ir2vec", …
  std::string words;    // "loads: 40 (was 52, usual 32)"
  double log_odds = 0;  // that it added; e to its power is the factor by which the odds are higher
};

// What a policy makes of an action in a state.
struct Opinion {
  double probability = 0;
  std::size_t rank = 1;  // by probability, from 1, among `of`: the actions that it can name there, and stop
  std::size_t of = 1;
  std::string first;  // what it would have taken, "stop" to end; the action itself if `rank` is 1
  double first_probability = 0;
  std::vector<Clue> clues = {};  // the heaviest, at most ten, heaviest first

  // Less likely than if it drew blindly.
  bool unlikely() const { return probability * static_cast<double>(of) < 1; }
};

// What a policy is told of the program and the task.
struct PolicyTask {
  std::string objective;
  std::string baseline;       // its name, for clues
  double start_value = 0;     // the objective's, of the program as given
  double baseline_value = 0;  // the same after the baseline
};

// One thread at a time.
class Critic {
 public:
  // Of the policy in `file`, for a session with `actions`, which are of a space or more; a policy has to know
  // enough of `space`. Its preferences are those it was trained to, without what a search may have added to
  // them. Errors as of engine::loadPolicy() and policy::View::create().
  static Result<Critic> create(const std::string& file, const env::BackendInfo& info,
                               std::span<const env::Action> space, std::span<const env::Action> actions,
                               PolicyTask task);

  // What it has to be told of a state.
  const std::vector<std::string>& observations() const { return view_.observations(); }

  // From now on it is asked about the state that `actions` led to. The first has to be the program as given.
  // False if they are more than it was made for: then it may not be asked.
  bool consider(std::span<const env::ActionIndex> actions, std::span<const env::Observation> state,
                double instructions);

  // Its choices are numbers: one for each action that it knows, and stopping.
  std::size_t stop() const { return legal_.size() - 1; }
  std::optional<std::size_t> choiceOf(env::ActionIndex action) const;
  // The session's action; none for stopping. REQUIRES: one of ranking().
  std::optional<env::ActionIndex> actionOf(std::size_t choice) const;
  std::string_view name(std::size_t choice) const { return view_.policy().info().actions[choice]; }

  // The choices that it can take here, the likeliest first.
  std::vector<std::size_t> ranking() const;
  double probability(std::size_t choice) const { return chances_[choice]; }
  Opinion opinion(std::size_t choice) const;

 private:
  Critic(std::shared_ptr<const policy::Policy> policy, policy::View view, PolicyTask task,
         std::size_t actions);
  std::string words(const policy::Aspect& aspect) const;
  std::string wordsOfCount(std::size_t count) const;
  std::string wordsOfAction(std::size_t action) const;

  policy::Attribution attribution_;
  policy::View view_;
  PolicyTask task_;
  std::vector<std::uint8_t> legal_;  // by choice

  // Of the state that is considered, and the first.
  std::vector<float> features_;
  std::vector<double> chances_;
  std::vector<std::uint32_t> history_;
  std::vector<std::int64_t> start_, counts_;  // autophase
  double instructions_ = 0;
};

}  // namespace ordo::tune
