// A canary's life, as it is recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ordo::loop {

// In the order of a life. What is deployed is from kWarmup to kPromoting; the rest serves nobody.
enum class State : std::uint8_t {
  kProposed,     // a candidate was chosen
  kBuilt,        // there is an artifact
  kVerified,     // it does what production does
  kStaged,       // and was measured on the stage
  kWarmup,       // control and canary were started together, and get a little traffic that is not counted
  kRamp,         // the share rises
  kObserve,      // windows are taken
  kPromoting,    // it is becoming production
  kRollingBack,  // the canary has no traffic, and ends
  kEnded,        // the outcome is final
  kRewarded,     // the reward is recorded
  kClosed,       // the policy has learned of it
};
inline constexpr std::size_t kStates = 12;

// What came of it; nothing while it is open.
enum class Outcome : std::uint8_t {
  kPromoted,
  kRejected,
  kInconclusive,
  kVoid,
  kRolledBack,
  kAborted,
  kIdentical
};

// "proposed", "built", …
std::string_view name(State state);
std::optional<State> stateOf(std::string_view name);
// "promoted", "rejected", "inconclusive", "void", "rolled back", "aborted", "identical"
std::string_view name(Outcome outcome);
std::optional<Outcome> outcomeOf(std::string_view name);

struct Experiment {
  std::string id = {};         // unique, of letters, digits and dashes
  std::string candidate = {};  // the name that the policy gave
  std::string baseline = {};   // the candidate that production was then
  double probability = 1;      // with which the policy chose it
  std::string policy = {};     // the version that chose
  std::string toolchain = {};  // rewards of different ones are not mixed
  State state = State::kProposed;
  std::optional<Outcome> outcome = {};
  std::string cause = {};                                // of the last transition
  std::string artifact = {}, hash = {};                  // the built file, and of what is loaded of it
  std::optional<double> staged = {}, staged_error = {};  // log-ratio on the stage
  unsigned restarts = 0;                // how often a controller found it deployed when it began
  double created_s = 0, changed_s = 0;  // seconds since 1970
};

}  // namespace ordo::loop
