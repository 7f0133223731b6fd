// What ends the work of a thread. Whoever waits in it for a process (runProcess(), the sandbox) looks at this
// flag beside its own, so that a task of many steps, none of which knows of the others, comes to its end soon
// after somebody no longer wants it. What such a step says then is that it ran out of time.
#pragma once

#include <atomic>

namespace ordo {

class StopScope {
 public:
  // From now until its end `stop`, which outlives it, is the flag of this thread. Null: there is none.
  explicit StopScope(const std::atomic<bool>* stop) : before_(t_stop) { t_stop = stop; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { t_stop = before_; }

  // Whether `own`, which may be null, or the flag of this thread says to stop.
  static bool stops(const std::atomic<bool>* own) {
    return (own != nullptr && *own) || (t_stop != nullptr && *t_stop);
  }
  // Whether anything could.
  static bool mayStop(const std::atomic<bool>* own) { return own != nullptr || t_stop != nullptr; }

 private:
  static inline thread_local const std::atomic<bool>* t_stop = nullptr;
  const std::atomic<bool>* const before_;
};

}  // namespace ordo
