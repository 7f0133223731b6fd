// Counters that only rise, read now and then, as what happened in between.
#pragma once

#include "loop/controller/world.h"
#include "loop/safety/governor.h"
#include "loop/safety/guard.h"

namespace ordo::loop {

// Of one stretch of time: from begin() on, whatever was read last is its end.
class Observer {
 public:
  // A new stretch, which begins with `figures`, or with a gap if there are none.
  void begin(const Figures& figures, double now_s, double share);
  // Something made the stretch useless, such as weights that changed: the first reason stays.
  void spoil(const std::string& why);

  // The stretch until `figures`; its gap says why it is no evidence.
  Window end(const Figures& figures, double now_s) const;

  double beganAt() const { return begin_s_; }

 private:
  Figures first_;
  double begin_s_ = 0, share_ = 0;
  std::string gap_;
};

// How often whoever counts has news, and how often it was due and did not come. Ticks may be faster.
class News {
 public:
  // At each tick. What is waited for is of control or the canary; how often it comes, anybody's figures say.
  void see(const Figures& now, double now_s);
  // From now on it is waited for, even if none ever came.
  void wait(double now_s) { came_s_ = now_s; }
  // Times. More often than each tick nothing is due, and as often as is usual while it is not known how often
  // news come.
  unsigned missed(double now_s, double tick_s) const;

 private:
  std::array<double, kPools> at_s_{};
  std::vector<double> gaps_s_;  // the last few
  double came_s_ = 0;
};

// What the guard looks at, one look after the other: both arms since they were last seen together, so that
// nothing is lost where figures come late, or not at every tick. What the balancer counts is there at each.
class Watch {
 public:
  Watch() = default;
  // `before` is what was known when the arms were started: who served then is not who serves now, whenever
  // that shows in the figures.
  explicit Watch(const Figures& before);

  // `starting`: who served before may still be in the figures, so that counters that begin anew are no
  // restart.
  Look look(const Figures& now, bool starting = false);

 private:
  Figures seen_;                       // with figures of how long requests took
  Figures balanced_, first_;           // by the balancer: with the last of `seen_`, and at the first look
  std::array<bool, kPools> before_{};  // what was seen is of who served before
  std::array<double, kPools> at_s_{};  // of the newest figures
  unsigned only_control_ = 0;
  bool canary_known_ = false;
};

// Requests of all pools between two readings, and those that violate the objective. `before` becomes what the
// next spending is from.
Spending spendingOf(Figures& before, const Figures& now, double slo_s, double now_s);

}  // namespace ordo::loop
