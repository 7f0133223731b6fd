// What takes the canary out of the traffic when its controller is dead or hangs: a process of its own, that
// lives until the controller says that nothing is left to take out.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <utility>

#include "support/child.h"

namespace ordo::loop {

class Watchdog {
 public:
  // Forks. `withdraw` is called there, again and again until it returns true or ten minutes have passed, once
  // the caller has ended without release(), or has not said alive() for `seconds`. REQUIRES: no other thread.
  static Result<Watchdog> start(double seconds, std::function<bool()> withdraw);

  Watchdog(Watchdog&& other) noexcept
      : pipe_(std::move(other.pipe_)),
        pid_(std::exchange(other.pid_, -1)),
        seconds_(other.seconds_),
        released_(other.released_) {}
  Watchdog& operator=(Watchdog&&) = delete;
  // Does not wait for it for longer than a moment: what it has to do it does without us. One that has nothing
  // to do and does not listen is ended.
  ~Watchdog();

  void alive();
  // The canary has no traffic, or is not ours to take out: nothing will be withdrawn.
  void release() { released_ = true; }
  // Whether it is there and listens; if it does not, it is ended, and another one has to be started.
  bool watches();
  pid_t pid() const { return pid_; }

 private:
  using Clock = std::chrono::steady_clock;
  Watchdog(Descriptor pipe, pid_t pid, double seconds)
      : pipe_(std::move(pipe)), pid_(pid), seconds_(seconds) {}
  bool hasHeardAll() const;
  // Whether it has ended, within so many seconds.
  bool ends(double seconds);

  Descriptor pipe_;
  pid_t pid_;
  double seconds_;
  bool released_ = false;
  Clock::time_point heard_ = Clock::now();  // when it had last heard all, as something was said
};

}  // namespace ordo::loop
