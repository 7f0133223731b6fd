// A Policy is a learned preference among actions: a network, with the names of the actions that its logits
// are of and all that must be the same where it was trained and where it is used. It is kept as one file
// (docs/formats/weights.md), known by names, and used through a Binding, by the indices of a session.
//
// The last of its actions is always "stop", which ends the episode and is no action of any session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "policy/encoder.h"
#include "policy/network.h"
#include "policy/safetensors.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::policy {

inline constexpr std::string_view kStop = "stop";

// What the file says beside the weights.
struct PolicyInfo {
  Architecture architecture = Architecture::kResidual;
  Hash128 schema_hash;               // of the features it was trained on
  std::string space;                 // the action space, by name
  Hash128 space_hash;                // spaces::spaceHash()
  std::vector<std::string> actions;  // one for each logit; the last is kStop
  std::string backend_version;       // of the compiler it was trained with: "22.1.8"
  std::string provenance;            // free text: who trained it, on what, when

  bool operator==(const PolicyInfo&) const = default;
};

// A policy's actions in terms of a session's.
class Binding {
 public:
  // For each action of the policy but stop: the session's, or nothing where the session lacks it.
  const std::vector<std::optional<env::ActionIndex>>& actions() const { return actions_; }

  // One byte for each logit: 1 if the session has the action and it is legal there now, and for stop.
  // REQUIRES: one byte for each of the session's actions, as Session::legalActions() gives them.
  std::vector<std::uint8_t> legal(std::span<const std::uint8_t> session_legal) const;

  // A session's history as Situation::history: kOtherAction for what the policy does not know, without
  // kPipe, which is nobody's action. REQUIRES: indices of that session.
  std::vector<std::uint32_t> history(std::span<const env::ActionIndex> session_history) const;

 private:
  friend class Policy;
  std::vector<std::optional<env::ActionIndex>> actions_;
  std::vector<std::uint32_t> known_;  // for each action of the session: the policy's, or kOtherAction
};

// Immutable and thread-safe after it was made.
class Policy {
 public:
  // The policy in a file. kNotFound or kUnavailable if that cannot be read; otherwise as parse().
  static Result<Policy> load(const std::filesystem::path& path);

  // What writePolicy() wrote. `name` is for messages, which say what does not fit. kUnsupported for another
  // format, architecture or feature schema than this build has, and above kMaxParameters; kCorrupt for what
  // does not hold together.
  static Result<Policy> parse(std::string_view bytes, std::string_view name);

  const PolicyInfo& info() const { return info_; }
  const Network& network() const { return network_; }
  const Encoder& encoder() const { return encoder_; }

  // Finds the policy's actions among those of a session, by name: `actions` are SessionSpec::actions.
  // kUnsupported if there are fewer than half of them.
  Result<Binding> bind(std::span<const env::Action> actions) const;

  // Logits, one for each of info().actions, and the value of the state. REQUIRES: what encoder() wrote.
  Network::Output evaluate(std::span<const float> features, Network::Scratch& scratch) const {
    return network_.evaluate(features, scratch);
  }

 private:
  Policy(PolicyInfo info, Network network, Encoder encoder)
      : info_(std::move(info)), network_(std::move(network)), encoder_(std::move(encoder)) {}

  PolicyInfo info_;
  Network network_;
  Encoder encoder_;
};

// The file of a policy with these tensors (see tensorsOf()). Does not check that they fit: parse() does.
std::string writePolicy(const PolicyInfo& info, std::vector<Tensor> tensors);

}  // namespace ordo::policy
