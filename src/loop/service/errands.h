// Errands on a thread of their own. The one that ticks waits for them, and does nothing else but to keep what
// would run out.
#pragma once

#include <atomic>
#include <functional>

#include "loop/controller/world.h"

namespace ordo::loop {

// Seconds since 1970.
double wallSeconds();

class ThreadErrands final : public Errands {
 public:
  // `beat_s` is how often the beat is called, and `alive` with it. After `interrupted`, which has to outlive
  // it, what is under way is broken off.
  ThreadErrands(double beat_s, const std::atomic<bool>& interrupted, std::function<void()> alive)
      : beat_s_(beat_s), interrupted_(interrupted), alive_(std::move(alive)) {}

  Done run(const std::function<void()>& work, const std::function<bool(double now_s)>& beat) override;

  // To be given to what is to end when an errand is broken off.
  const std::atomic<bool>* brokenOff() const { return &broken_off_; }

 private:
  double beat_s_;
  const std::atomic<bool>& interrupted_;
  std::function<void()> alive_;
  std::atomic<bool> broken_off_ = false;
};

}  // namespace ordo::loop
