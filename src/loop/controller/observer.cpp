#include "loop/controller/observer.h"

#include <algorithm>

namespace ordo::loop {
namespace {

std::uint64_t rise(std::uint64_t before, std::uint64_t now) { return now > before ? now - before : 0; }

// What `pool` did in between. A pool that began anew has all that it has.
ArmWindow between(const std::optional<Counters>& before, const Counters& now) {
  ArmWindow arm{.up = now.up};
  const std::optional<Histogram> latency =
      before && before->instance == now.instance ? now.latency.since(before->latency) : std::nullopt;
  if (!latency) {
    arm.latency = now.latency;
    arm.errors = now.errors;
    arm.redispatches = now.redispatches;
    arm.reset = before.has_value();
    return arm;
  }
  arm.latency = *latency;
  arm.errors = rise(before->errors, now.errors);
  arm.redispatches = rise(before->redispatches, now.redispatches);
  arm.up = now.up && before->up;
  return arm;
}

const std::optional<Counters>& of(const Figures& figures, Pool pool) {
  return figures[static_cast<std::size_t>(pool)];
}

}  // namespace

void Observer::begin(const Figures& figures, double now_s, double share) {
  first_ = figures;
  begin_s_ = now_s;
  share_ = share;
  gap_.clear();
}

void Observer::spoil(const std::string& why) {
  if (gap_.empty()) gap_ = why;
}

Window Observer::end(const Figures& figures, double now_s) const {
  Window window{.begin_s = begin_s_, .end_s = now_s, .share = share_, .gap = gap_};
  for (const Pool pool : {Pool::kControl, Pool::kCanary}) {
    const std::optional<Counters>&before = of(first_, pool), &now = of(figures, pool);
    if (!window.gap.empty()) break;
    if (!before || !now || before->at_s <= 0 || now->at_s <= 0) {
      window.gap = fmt::format("nothing is known of {}", name(pool));
    } else if (now->at_s <= before->at_s) {
      window.gap = fmt::format("there is no news of {}", name(pool));
    } else {
      (pool == Pool::kControl ? window.control : window.canary) = between(before, *now);
    }
  }
  if (!window.gap.empty()) window.control = window.canary = {};
  return window;
}

Look lookOf(const Figures& before, const Figures& now) {
  Look look;
  const auto &control = of(now, Pool::kControl), &canary = of(now, Pool::kCanary);
  if (control) look.control_up = control->up;
  if (canary) look.canary_up = canary->up;
  const auto &old_control = of(before, Pool::kControl), &old_canary = of(before, Pool::kCanary);
  if (!control || !canary || !old_control || !old_canary) return look;
  look.seen = control->at_s > old_control->at_s && canary->at_s > old_canary->at_s;
  if (!look.seen) return look;
  look.control = between(old_control, *control);
  look.canary = between(old_canary, *canary);
  return look;
}

Spending spendingOf(const Figures& before, const Figures& now, double slo_s, double now_s) {
  Spending spending{.at_s = now_s};
  for (std::size_t pool = 0; pool < kPools; ++pool) {
    if (!now[pool] || !before[pool] || now[pool]->at_s <= before[pool]->at_s) continue;
    const ArmWindow arm = between(before[pool], *now[pool]);
    const auto requests = static_cast<double>(std::max(arm.latency.count(), arm.errors) + arm.redispatches);
    spending.requests += requests;
    spending.bad +=
        std::min(requests, arm.latency.above(slo_s) + static_cast<double>(arm.errors + arm.redispatches));
  }
  return spending;
}

}  // namespace ordo::loop
