#include "loop/service/errands.h"

#include <algorithm>
#include <chrono>
#include <future>

namespace ordo::loop {

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Errands::Done ThreadErrands::run(const std::function<void()>& work,
                                 const std::function<bool(double now_s)>& beat) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> between(beat_s_);
  // Not as long as a beat may be: an interrupt is not to wait for it.
  const auto look = std::min(between, std::chrono::duration<double>(0.05));
  broken_off_ = interrupted_.load();
  const std::future<void> done = std::async(std::launch::async, work);
  for (auto last = Clock::now(); done.wait_for(look) != std::future_status::ready;) {
    if (interrupted_) broken_off_ = true;
    if (Clock::now() - last < between) continue;
    last = Clock::now();
    alive_();
    if (!beat(wallSeconds())) broken_off_ = true;
  }
  return {.now_s = wallSeconds(), .broken_off = broken_off_};
}

}  // namespace ordo::loop
