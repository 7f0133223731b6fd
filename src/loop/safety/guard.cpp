#include "loop/safety/guard.h"

#include <algorithm>
#include <cmath>

namespace ordo::loop {
namespace {

constexpr double kFewestBeyond = 20;
// Standard deviations by which a quantile of either arm may be off: of one look, two of which a second are
// many tries at chance, and of all requests so far, which hardly change from look to look and are looked at
// only once they are many.
constexpr double kOfALook = 3, kOfAll = 0.5;

ArmWindow together(const ArmWindow& a, const ArmWindow& b) {
  ArmWindow sum = a;
  sum.latency.merge(b.latency);
  sum.errors += b.errors;
  sum.redispatches += b.redispatches;
  sum.aborts += b.aborts;
  sum.tries += b.tries;
  sum.compared += b.compared;
  sum.odd += b.odd;
  sum.reset = a.reset || b.reset;
  return sum;
}

double badShare(const ArmWindow& arm) {
  const double requests = requestsOf(arm);
  const double bad = std::min(requests, failuresOf(arm) + static_cast<double>(arm.aborts));
  return requests > 0 ? bad / requests : 0;
}

}  // namespace

// By what the balancer counts, which is there whether or not there are figures.
std::optional<Alarm> Guard::failing(const Look& look) {
  const ArmWindow control = together(look.control, last_control_),
                  canary = together(look.canary, last_canary_);
  // A number of failures is no share while nobody says of how many requests.
  const bool known = look.seen || (look.control.tries > 0 && look.canary.tries > 0);
  const double bad = known ? badShare(canary) : 0, usual_bad = known ? badShare(control) : 0;
  // Twice control's, lest an outage of everybody look like the canary's by chance.
  if (canary.errors + canary.redispatches + canary.aborts >= options_.fewest_bad &&
      bad > options_.most_bad + 2 * usual_bad)
    return Alarm{
        fmt::format("{:.1f} % of its requests failed, were taken elsewhere or were given up, {:.1f} % "
                    "of control's",
                    100 * bad, 100 * usual_bad)};
  if (look.canary_failed_checks >= options_.fewest_bad + 2 * look.control_failed_checks)
    return Alarm{fmt::format("{} checks of its health failed, {} of control's", look.canary_failed_checks,
                             look.control_failed_checks)};
  const auto oddShare = [](const ArmWindow& arm) {
    return arm.compared > 0 ? static_cast<double>(arm.odd) / static_cast<double>(arm.compared) : 0;
  };
  if (canary.odd >= options_.fewest_bad && oddShare(canary) > options_.most_bad + 2 * oddShare(control))
    return Alarm{
        fmt::format("{:.1f} % of its answers are other than production's and control's, {:.1f} % of "
                    "control's other than production's and its",
                    100 * oddShare(canary), 100 * oddShare(control))};
  const bool waits = look.canary_queue >= options_.fewest_bad + 2 * look.control_queue;
  waiting_ = waits ? waiting_ + 1 : 0;
  if (waiting_ >= options_.most_down)
    return Alarm{fmt::format("{} requests wait for it at the balancer, {} for control", look.canary_queue,
                             look.control_queue)};
  return std::nullopt;
}

std::optional<Alarm> Guard::look(const Look& look) {
  both_down_ = look.canary_up || look.control_up ? 0 : both_down_ + 1;
  if (both_down_ >= options_.most_down) return Alarm{"control and canary are both down", false};
  if (both_down_ > 0) return std::nullopt;
  // In all and not in a row: one that falls and comes back has not come to stay.
  down_ += look.canary_up ? 0 : 1;
  if (down_ >= options_.most_down) return Alarm{fmt::format("the canary was down at {} looks", down_)};
  if (const std::optional<Alarm> alarm = failing(look)) return alarm;
  // Of one that was never counted nobody knows whether it is to blame.
  if (look.only_control >= options_.most_unseen)
    return Alarm{fmt::format("no figures of the canary {}came at {} looks, while control's did",
                             look.canary_known ? "" : "ever ", look.only_control),
                 look.canary_known};
  if (look.missed >= options_.most_unseen)
    return Alarm{fmt::format("no figures came at {} looks", look.missed), false};
  if (!look.seen) return std::nullopt;

  if (look.canary.reset && !look.control.reset) return Alarm{"the canary was restarted"};
  const ArmWindow control = together(look.control, last_control_),
                  canary = together(look.canary, last_canary_);
  last_control_ = look.control;
  last_canary_ = look.canary;
  // A canary that hangs has no bad answers.
  const bool silent = look.canary.latency.count() == 0;
  silent_ = silent ? silent_ + look.control.latency.count() : 0;
  silent_looks_ = silent ? silent_looks_ + 1 : 0;
  if (silent_looks_ >= options_.most_down && silent_ >= options_.fewest_requests)
    return Alarm{fmt::format("the canary answered nothing while control answered {} requests", silent_)};
  all_control_.merge(look.control.latency);
  all_canary_.merge(look.canary.latency);
  if (std::optional<Alarm> now = slower(control.latency, canary.latency, kOfALook)) return now;
  const auto fewer = static_cast<double>(std::min(all_control_.count(), all_canary_.count()));
  if (fewer * (1 - options_.tail) < kFewestBeyond) return std::nullopt;
  return slower(all_control_, all_canary_, kOfAll);
}

std::optional<Alarm> Guard::slower(const Histogram& control, const Histogram& canary, double surely) const {
  const std::uint64_t fewer = std::min(control.count(), canary.count());
  if (fewer < options_.fewest_requests) return std::nullopt;
  // No quantile that a handful of requests decides: those are chance.
  const double q = std::min(options_.tail, 1 - kFewestBeyond / static_cast<double>(fewer));
  // The shares below a quantile are binomial: where times come in heaps, one for each kind of request, a
  // handful more of the slow kind takes a quantile from heap to heap.
  const auto off = [q, surely](const Histogram& arm) {
    return surely * std::sqrt(q * (1 - q) / static_cast<double>(arm.count()));
  };
  const std::optional<double> usual = control.quantile(std::min(1.0, q + off(control))),
                              here = canary.quantile(std::max(0.0, q - off(canary)));
  if (!usual || (here && *here <= options_.most_slowdown * *usual)) return std::nullopt;
  return Alarm{fmt::format("its p{:.3g} is surely {} or more against control's {:.1f} ms at most", 100 * q,
                           here ? fmt::format("{:.1f} ms", 1000 * *here) : "beyond the last bucket",
                           1000 * *usual)};
}

Status check(const GuardOptions& options) {
  const auto demand = [](bool right, std::string_view what) -> Status {
    if (right) return {};
    return fail(ErrorCode::kInvalidArgument, "{}", what);
  };
  ORDO_TRY(demand(options.most_down >= 1 && options.most_down <= 10, "most_down is from 1 to 10"));
  ORDO_TRY(demand(options.most_unseen >= 1 && options.most_unseen <= 100, "most_unseen is from 1 to 100"));
  ORDO_TRY(demand(options.most_bad > 0 && options.most_bad <= 1, "most_bad is above 0 and at most 1"));
  ORDO_TRY(
      demand(options.most_slowdown > 1 && std::isfinite(options.most_slowdown), "most_slowdown is above 1"));
  return demand(options.tail >= 0.5 && options.tail < 1, "tail is from 0.5 to below 1");
}

}  // namespace ordo::loop
