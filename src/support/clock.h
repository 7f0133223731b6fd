// Monotonic time behind a seam, so that budgets and watchdogs can be tested without waiting.
#pragma once

#include <chrono>

namespace ordo {

// Seconds from an arbitrary origin; never goes back. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double seconds() const = 0;
};

class SteadyClock final : public Clock {
 public:
  double seconds() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

}  // namespace ordo
