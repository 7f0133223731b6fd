// What takes the canary out of the traffic when its controller is dead or hangs: a process of its own, that
// lives until the controller says goodbye.
#pragma once

#include <sys/types.h>

#include <functional>
#include <utility>

#include "support/child.h"

namespace ordo::loop {

class Watchdog {
 public:
  // Forks. `withdraw` is called there, again and again until it returns true or ten
  // minutes have passed, once the caller has died or has
  // not said alive() for `seconds`. REQUIRES: no thread yet.
  static Result<Watchdog> start(double seconds, std::function<bool()> withdraw);

  Watchdog(Watchdog&& other) noexcept : pipe_(std::move(other.pipe_)), pid_(std::exchange(other.pid_, -1)) {}
  Watchdog& operator=(Watchdog&&) = delete;
  ~Watchdog();  // says goodbye: nothing is withdrawn

  void alive() const;
  pid_t pid() const { return pid_; }

 private:
  Watchdog(Descriptor pipe, pid_t pid) : pipe_(std::move(pipe)), pid_(pid) {}
  Descriptor pipe_;
  pid_t pid_;
};

}  // namespace ordo::loop
