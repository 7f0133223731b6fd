// How much may be risked: what is left of the error budget decides the share of traffic and how boldly
// candidates are chosen; how fast it is spent can end it at once (Site Reliability Workbook, chapter 5: two
// windows have to agree, of which the short one shows that it still goes on).
//
// All that violates the objective counts, whoever caused it: a service in trouble is no place for trials.
// What an experiment caused is told apart where it is learned from (loop/reward: excess over control).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::loop {

// Requests of the whole service in a stretch of time that ends at `at_s`.
struct Spending {
  double at_s = 0;
  double requests = 0, bad = 0;
};

struct GovernorOptions {
  double objective = 0.999;        // share of requests that are to be good
  double period_s = 30 * 86400.0;  // that the objective is of
  double time_scale = 1;           // an hour of the rules below lasts so many hours
  double most_share = 0.10;        // of traffic for a canary
  double careful_share = 0.05;
  double explore_above = 0.5;  // of the budget left: bold
  double exploit_below = 0.2;  // nothing is tried any more
  double recovery = 0.05;      // so much more than that has to be left before it is tried again
};

enum class Mode : std::uint8_t { kExplore, kCareful, kExploit };

// "explore", "careful", "exploit"
std::string_view name(Mode mode);
std::optional<Mode> modeOf(std::string_view name);

struct Allowance {
  Mode mode = Mode::kExplore;
  double most_share = 0;   // of traffic
  double temperature = 0;  // of the choice among candidates: 1 is bold, 0 is the best known
  double left = 1;         // of the budget; negative if it is overspent
  double burn_hour = 0, burn_quarter_day = 0;  // times the rate that spends the budget in just the period
  std::string why;
};

// A pure function of what was spent, the time, and the mode until now, by which it does not go back and
// forth.
Allowance allow(std::span<const Spending> spent, double now_s, Mode last, const GovernorOptions& options);

Status check(const GovernorOptions& options);

}  // namespace ordo::loop
