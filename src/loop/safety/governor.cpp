#include "loop/safety/governor.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ordo::loop {
namespace {

constexpr std::array<std::string_view, 3> kModes = {"explore", "careful", "exploit"};
constexpr double kHour = 3600;

struct Rule {
  double long_s, burn;  // the short window is a twelfth
};
constexpr Rule kHourRule{kHour, 14.4}, kQuarterDayRule{6 * kHour, 6};
// A rate that was too high has to fall to half of that before it is forgotten.
constexpr double kCalm = 0.5;

struct Sums {
  double requests = 0, bad = 0;
};

Sums since(std::span<const Spending> spent, double begin_s) {
  Sums sums;
  for (const Spending& each : spent) {
    if (each.at_s <= begin_s) continue;
    sums.requests += each.requests;
    sums.bad += each.bad;
  }
  return sums;
}

double burn(std::span<const Spending> spent, double now_s, double seconds, double allowed) {
  const Sums sums = since(spent, now_s - seconds);
  return sums.requests > 0 ? sums.bad / sums.requests / allowed : 0;
}

}  // namespace

std::string_view name(Mode mode) { return kModes[static_cast<std::size_t>(mode)]; }

std::optional<Mode> modeOf(std::string_view name) {
  const auto place = std::ranges::find(kModes, name);
  if (place == kModes.end()) return std::nullopt;
  return static_cast<Mode>(place - kModes.begin());
}

Allowance allow(std::span<const Spending> spent, double now_s, Mode last, const GovernorOptions& options) {
  const double allowed = 1 - options.objective;
  const auto both = [&](const Rule& rule) {
    const double seconds = rule.long_s * options.time_scale;
    return std::min(burn(spent, now_s, seconds, allowed), burn(spent, now_s, seconds / 12, allowed));
  };
  Allowance allowance;
  const Sums all = since(spent, now_s - options.period_s * options.time_scale);
  // What is seen may be less than the period: the rest of it has as many requests.
  double first_s = now_s;
  for (const Spending& each : spent) first_s = std::min(first_s, each.at_s);
  const double period_s = options.period_s * options.time_scale;
  const double periods = std::clamp((now_s - first_s) / period_s, 1e-6, 1.0);
  allowance.left = all.requests > 0 ? 1 - all.bad * periods / (allowed * all.requests) : 1;
  allowance.burn_hour = both(kHourRule);
  allowance.burn_quarter_day = both(kQuarterDayRule);

  const double calm = last == Mode::kExploit ? kCalm : 1;
  const double more = last == Mode::kExploit ? options.recovery : 0;
  const double bold = options.explore_above + (last == Mode::kExplore ? 0 : options.recovery);
  if (allowance.burn_hour >= calm * kHourRule.burn) {
    allowance.mode = Mode::kExploit;
    allowance.why =
        fmt::format("the budget burns {:.1f} times too fast in the last hour", allowance.burn_hour);
  } else if (allowance.burn_quarter_day >= calm * kQuarterDayRule.burn) {
    allowance.mode = Mode::kExploit;
    allowance.why = fmt::format("the budget burns {:.1f} times too fast in the last six hours",
                                allowance.burn_quarter_day);
  } else if (allowance.left < options.exploit_below + more) {
    allowance.mode = Mode::kExploit;
    allowance.why = fmt::format("{:.0f} % of the budget is left", 100 * allowance.left);
  } else if (allowance.left < bold) {
    allowance.mode = Mode::kCareful;
    allowance.why = fmt::format("{:.0f} % of the budget is left", 100 * allowance.left);
  } else {
    allowance.why = fmt::format("{:.0f} % of the budget is left", 100 * allowance.left);
  }
  switch (allowance.mode) {
    case Mode::kExplore:
      allowance.most_share = options.most_share;
      allowance.temperature = 1;
      break;
    case Mode::kCareful:
      allowance.most_share = std::min(options.careful_share, options.most_share);
      allowance.temperature = std::clamp((allowance.left - options.exploit_below) /
                                             std::max(1e-9, options.explore_above - options.exploit_below),
                                         0.1, 1.0);
      break;
    case Mode::kExploit:
      break;
  }
  return allowance;
}

Status check(const GovernorOptions& options) {
  const auto demand = [](bool right, std::string_view what) -> Status {
    if (right) return {};
    return fail(ErrorCode::kInvalidArgument, "{}", what);
  };
  ORDO_TRY(demand(options.objective >= 0.5 && options.objective < 1, "objective is from 0.5 to below 1"));
  ORDO_TRY(demand(options.period_s >= 60 && options.period_s <= 366 * 86400.0,
                  "period is from a minute to a year"));
  ORDO_TRY(demand(options.time_scale > 0 && options.time_scale <= 1, "time_scale is above 0 and at most 1"));
  ORDO_TRY(demand(options.most_share > 0 && options.most_share <= 0.4,
                  "most_share is above 0 and at most 0.4, because control gets as much"));
  ORDO_TRY(demand(options.careful_share > 0 && options.careful_share <= options.most_share,
                  "careful_share is above 0 and at most most_share"));
  return demand(options.exploit_below >= 0 &&
                    options.exploit_below + options.recovery < options.explore_above &&
                    options.recovery >= 0 && options.explore_above < 1,
                "0 <= exploit_below, exploit_below + recovery < explore_above < 1");
}

}  // namespace ordo::loop
