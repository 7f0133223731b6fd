// The states that rollouts have gone through, and which action leads from which to which: what is known need
// not be run again. Equal programs are one state, however they came about.
//
// Thread-safe. For one set of observations.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "env/session.h"
#include "search/evaluation/evaluation.h"

namespace ordo::search {

// A program as rollouts see it. Immutable.
class SeenState {
 public:
  // What `report` says of where a step has led; it must have the hash.
  explicit SeenState(const env::StepReport& report);
  SeenState(const SeenState&) = delete;
  SeenState& operator=(const SeenState&) = delete;

  const Hash128& hash() const { return hash_; }
  std::span<const env::Observation> observations() const { return observations_; }

 private:
  Hash128 hash_;
  std::vector<std::string> bytes_;
  std::vector<env::Observation> observations_;  // of bytes_
};

class StateGraph {
 public:
  // Where an action leads that does not fail.
  struct Failure {
    env::StepStatus status = env::StepStatus::kRejected;
    std::string detail;
  };
  struct Step {
    std::shared_ptr<const SeenState> to;  // null: it fails
    Failure failure;
  };

  // The state that the sequence with this hash (prefixHashes()) leads to; null if that is not known.
  std::shared_ptr<const SeenState> at(const Hash128& sequence) const;

  // Where `action` leads from a state, if that is known.
  std::optional<Step> follow(const Hash128& from, env::ActionIndex action) const;

  // The actions that are known to lead nowhere: they leave the program as it is, or fail. In the order in
  // which that was found out.
  std::vector<env::ActionIndex> dead(const Hash128& state) const;

  // Remembers where a sequence, or an action from a state, led; nothing more once there are kMaxStates.
  // Returns the state that stands for this program from now on.
  std::shared_ptr<const SeenState> place(const Hash128& sequence, std::shared_ptr<const SeenState> state);
  std::shared_ptr<const SeenState> link(const Hash128& from, env::ActionIndex action,
                                        std::shared_ptr<const SeenState> to);
  void fail(const Hash128& from, env::ActionIndex action, Failure failure);

  static constexpr std::size_t kMaxStates = 200'000;  // about a kilobyte each

 private:
  struct Node {
    std::shared_ptr<const SeenState> state;
    std::unordered_map<env::ActionIndex, Hash128> next;
    std::unordered_map<env::ActionIndex, Failure> failures;
    std::vector<env::ActionIndex> dead;
  };

  std::shared_ptr<const SeenState> intern(std::shared_ptr<const SeenState> state);

  mutable std::mutex mutex_;
  std::unordered_map<Hash128, Node> nodes_;                               // by the state's hash
  std::unordered_map<Hash128, std::shared_ptr<const SeenState>> places_;  // by the sequence's
};

}  // namespace ordo::search
