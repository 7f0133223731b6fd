// Whether the canary has to go now. Fixed rules for what is plain, with no more statistics than a margin for
// chance: they take two looks at most where it is plainest, and only ever end an experiment. What is subtle
// is the reward's to find (loop/reward).
#pragma once

#include <optional>
#include <string>

#include "loop/reward/window.h"
#include "support/error.h"

namespace ordo::loop {

struct GuardOptions {
  unsigned most_down = 2;    // looks, in all, while control is up
  unsigned most_unseen = 5;  // times in a row that figures were due, and none came
  double most_bad = 0.05;    // share of errors and redispatches beyond twice control's
  double most_slowdown = 2;  // its tail by control's
  double tail = 0.99;        // or less, where too few requests are beyond it
  std::uint64_t fewest_requests =
      50;                        // of each, before times are compared; of control, if the canary is silent
  std::uint64_t fewest_bad = 5;  // before shares of errors are
};

// What there was since the look before, a guard period.
struct Look {
  bool seen = false;          // figures of both came
  unsigned missed = 0;        // times that figures were due since any came
  unsigned only_control = 0;  // times that control's came since the canary's did
  bool canary_known = false;  // whether the canary's ever came since it was started
  bool canary_up = true, control_up = true;
  // If seen; else only what the balancer says, since they were last seen.
  ArmWindow control = {}, canary = {};
  std::uint64_t control_queue = 0, canary_queue = 0;                  // requests that wait for them now
  std::uint64_t control_failed_checks = 0, canary_failed_checks = 0;  // since the first look
};

struct Alarm {
  std::string why;
  // Whether the canary did it. Not where nothing was seen or everything is down: then nothing is known of it.
  bool harm = true;
};

// Of one experiment, from its first request to its last.
class Guard {
 public:
  explicit Guard(const GuardOptions& options) : options_(options) {}

  // Nothing while it may stay.
  std::optional<Alarm> look(const Look& look);

 private:
  std::optional<Alarm> slower(const Histogram& control, const Histogram& canary, double surely) const;

  GuardOptions options_;
  std::optional<Alarm> failing(const Look& look);

  unsigned down_ = 0, both_down_ = 0, waiting_ = 0, silent_looks_ = 0;
  std::uint64_t silent_ = 0;  // requests that control answered since the canary last did
  ArmWindow last_control_,
      last_canary_;                     // of the look before: a rule sees two, lest a boundary hide something
  Histogram all_control_, all_canary_;  // a slow tail shows only by many requests
};

Status check(const GuardOptions& options);

}  // namespace ordo::loop
