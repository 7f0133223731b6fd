#include "loop/controller/observer.h"

#include <algorithm>
#include <utility>

namespace ordo::loop {
namespace {

// A counter that fell began anew, and has all that it has.
std::uint64_t rise(std::uint64_t before, std::uint64_t now) { return now >= before ? now - before : now; }

// What the balancer says of a pool in between. It counts on when the pool begins anew.
ArmWindow balanced(const Counters& before, const Counters& now) {
  return {.errors = rise(before.errors, now.errors),
          .redispatches = rise(before.redispatches, now.redispatches),
          .aborts = rise(before.aborts, now.aborts),
          .tries = rise(before.tries, now.tries),
          .compared = rise(before.compared, now.compared),
          .odd = rise(before.odd, now.odd),
          .odd_again = rise(before.odd_again, now.odd_again),
          .up = now.up && before.up && now.falls <= before.falls};
}

// What a pool did in between. Of one that began anew, all that it has.
ArmWindow between(const Counters& before, const Counters& now) {
  ArmWindow arm = balanced(before, now);
  const std::optional<Histogram> latency =
      before.instance == now.instance ? now.latency.since(before.latency) : std::nullopt;
  arm.latency = latency.value_or(now.latency);
  arm.reset = !latency;
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
      (pool == Pool::kControl ? window.control : window.canary) = between(*before, *now);
    }
  }
  if (!window.gap.empty()) window.control = window.canary = {};
  return window;
}

void News::see(const Figures& now, double now_s) {
  constexpr std::size_t kRemembered = 8;
  for (std::size_t i = 0; i < kPools; ++i) {
    const double last_s = at_s_[i];
    if (!now[i] || now[i]->at_s <= last_s) continue;
    at_s_[i] = now[i]->at_s;
    if (i != static_cast<std::size_t>(Pool::kProduction)) came_s_ = now_s;
    if (last_s <= 0) continue;
    gaps_s_.push_back(at_s_[i] - last_s);
    if (gaps_s_.size() > kRemembered) gaps_s_.erase(gaps_s_.begin());
  }
}

unsigned News::missed(double now_s, double tick_s) const {
  constexpr double kPrometheus = 15;  // its usual interval
  double usual_s = std::max(tick_s, kPrometheus);
  if (!gaps_s_.empty()) {
    // The median, because nothing may have come for a while, or two at once.
    std::vector<double> gaps = gaps_s_;
    std::ranges::sort(gaps);
    usual_s = std::max(tick_s, gaps[gaps.size() / 2]);
  }
  return static_cast<unsigned>(std::clamp((now_s - came_s_) / usual_s, 0.0, 1e6));
}

Watch::Watch(const Figures& before) {
  for (std::size_t i = 0; i < kPools; ++i) {
    if (!before[i] || before[i]->at_s <= 0) continue;
    seen_[i] = before[i];
    before_[i] = true;
    at_s_[i] = before[i]->at_s;
  }
}

Look Watch::look(const Figures& now, bool starting) {
  Look look;
  const auto &control = of(now, Pool::kControl), &canary = of(now, Pool::kCanary);
  if (control) look.control_up = control->up;
  if (canary) look.canary_up = canary->up;
  for (const Pool pool : {Pool::kControl, Pool::kCanary}) {
    const auto i = static_cast<std::size_t>(pool);
    if (!now[i]) continue;
    if (!balanced_[i]) first_[i] = balanced_[i] = now[i];
    // It may have come back since.
    if (now[i]->falls > balanced_[i]->falls) (i == 1 ? look.control_up : look.canary_up) = false;
    balanced_[i]->falls = now[i]->falls;
    (i == 1 ? look.control : look.canary) = balanced(*balanced_[i], *now[i]);
    (i == 1 ? look.control_queue : look.canary_queue) = now[i]->queued;
    (i == 1 ? look.control_failed_checks : look.canary_failed_checks) =
        rise(first_[i]->failed_checks, now[i]->failed_checks);
  }
  std::array<bool, kPools> fresh{};
  for (const Pool pool : {Pool::kControl, Pool::kCanary}) {
    const auto i = static_cast<std::size_t>(pool);
    if (!now[i] || now[i]->at_s <= 0) continue;
    const bool news = now[i]->at_s > at_s_[i];
    if (news) {
      at_s_[i] = now[i]->at_s;
      only_control_ = pool == Pool::kCanary ? 0 : only_control_ + 1;
      canary_known_ = canary_known_ || pool == Pool::kCanary;
    }
    // The first figures of who was started.
    const bool began = before_[i] && news && between(*seen_[i], *now[i]).reset;
    if (began) before_[i] = false;
    if (!seen_[i] || began) seen_[i] = now[i];
    fresh[i] = now[i]->at_s > seen_[i]->at_s;
  }
  look.only_control = only_control_;
  look.canary_known = canary_known_;
  if (!fresh[1] || !fresh[2]) return look;
  look.control = between(*seen_[1], *control);
  look.canary = between(*seen_[2], *canary);
  seen_ = balanced_ = now;
  look.seen = !starting || (!look.control.reset && !look.canary.reset);
  return look;
}

Spending spendingOf(Figures& before, const Figures& now, double slo_s, double now_s) {
  Spending spending{.at_s = now_s};
  for (std::size_t pool = 0; pool < kPools; ++pool) {
    if (!now[pool] || now[pool]->at_s <= (before[pool] ? before[pool]->at_s : 0)) continue;
    const std::optional<Counters> from = std::exchange(before[pool], now[pool]);
    if (!from) continue;
    const ArmWindow arm = between(*from, *now[pool]);
    const double requests = requestsOf(arm);
    spending.requests += requests;
    spending.bad += std::min(requests, arm.latency.above(slo_s) + failuresOf(arm));
  }
  return spending;
}

}  // namespace ordo::loop
