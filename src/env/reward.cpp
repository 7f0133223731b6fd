#include "env/reward.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "env/compilergym.h"
#include "support/text.h"

namespace ordo::env {
namespace {

constexpr std::string_view kAtEnd = "@end";
constexpr std::string_view kInitial = "initial";
constexpr std::string_view kGap = "gap:";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::string guess = nearest(word, names);
  return guess.empty() ? "" : fmt::format("; did you mean '{}'?", guess);
}

}  // namespace

std::string Reward::name() const {
  std::string unit_name;
  switch (unit) {
    case Unit::kRaw:
      break;
    case Unit::kInitial:
      unit_name = "/initial";
      break;
    case Unit::kBaseline:
      unit_name = "/" + baseline;
      break;
    case Unit::kGap:
      unit_name = "/gap:" + baseline;
      break;
  }
  return fmt::format("{}{}{}", metric, unit_name, at_end ? kAtEnd : "");
}

Result<double> Reward::scale(double initial, double baseline_value) const {
  switch (unit) {
    case Unit::kRaw:
      return 1;
    case Unit::kInitial:
      if (initial > 0) return initial;
      return fail(ErrorCode::kInvalidArgument, "{} is {} at the start, so {} is not defined; use {}", metric,
                  initial, name(), metric);
    case Unit::kBaseline:
      if (baseline_value > 0) return baseline_value;
      return fail(ErrorCode::kInvalidArgument, "{} is {} under {}, so {} is not defined; use {}", metric,
                  baseline_value, baseline, name(), metric);
    case Unit::kGap:
      if (initial > baseline_value) return initial - baseline_value;
      return fail(ErrorCode::kInvalidArgument,
                  "{} gains nothing ({} is {} before it and {} after), so {} is not defined; use {}/{}",
                  baseline, metric, initial, baseline_value, name(), metric, baseline);
  }
  return fail(ErrorCode::kInternal, "a reward without a unit");
}

Result<Reward> parseReward(std::string_view text, const std::vector<std::string>& metrics,
                           const std::vector<std::string>& baselines) {
  const auto unknown = [&, whole = text](std::string_view what, const std::string& guess) {
    return fail(
        ErrorCode::kInvalidArgument,
        "unknown reward '{}'{}: {}{} A reward is METRIC, METRIC/initial, METRIC/BASELINE or "
        "METRIC/gap:BASELINE, and @end behind it pays all in the last step. Metrics: {}. Baselines: {}",
        whole, hintForReward(whole), what, guess.empty() ? "." : guess, fmt::join(metrics, ", "),
        fmt::join(baselines, ", "));
  };
  Reward reward;
  if (text.ends_with(kAtEnd)) {
    reward.at_end = true;
    text.remove_suffix(kAtEnd.size());
  }
  const std::size_t slash = text.find('/');
  reward.metric = text.substr(0, slash);
  const bool only_beside = contains(metrics, reward.metric) && isExperiment(reward.metric);
  const auto what_there_is = [&] {
    return fail(ErrorCode::kInvalidArgument,
                "'{0}' is measured of finished programs, beside a baseline: the reward is {0}/BASELINE@end. "
                "Baselines: {1}",
                reward.metric, fmt::join(baselines, ", "));
  };
  if (only_beside && (!reward.at_end || slash == std::string_view::npos)) return what_there_is();
  if (!contains(metrics, reward.metric)) {
    return unknown(fmt::format("there is no metric '{}'", reward.metric), suggestion(reward.metric, metrics));
  }
  if (slash == std::string_view::npos) return reward;
  std::string_view unit = text.substr(slash + 1);
  if (only_beside && (unit == kInitial || unit.starts_with(kGap))) return what_there_is();
  if (unit == kInitial) {
    reward.unit = Reward::Unit::kInitial;
    return reward;
  }
  reward.unit = Reward::Unit::kBaseline;
  if (unit.starts_with(kGap)) {
    reward.unit = Reward::Unit::kGap;
    unit.remove_prefix(kGap.size());
  }
  reward.baseline = unit;
  std::vector<std::string> units = baselines;
  if (reward.unit == Reward::Unit::kBaseline) units.emplace_back(kInitial);
  if (!contains(units, reward.baseline)) {
    return unknown(fmt::format("there is no baseline '{}'", reward.baseline),
                   suggestion(reward.baseline, units));
  }
  return reward;
}

std::vector<Reward> allRewards(const std::vector<std::string>& metrics,
                               const std::vector<std::string>& baselines) {
  std::vector<Reward> all;
  for (const std::string& metric : metrics) {
    if (isExperiment(metric)) {
      for (const std::string& baseline : baselines)
        all.push_back({metric, Reward::Unit::kBaseline, baseline, true});
      continue;
    }
    for (const bool at_end : {false, true}) {
      all.push_back({metric, Reward::Unit::kRaw, "", at_end});
      all.push_back({metric, Reward::Unit::kInitial, "", at_end});
      for (const Reward::Unit unit : {Reward::Unit::kBaseline, Reward::Unit::kGap}) {
        for (const std::string& baseline : baselines) all.push_back({metric, unit, baseline, at_end});
      }
    }
  }
  return all;
}

std::string definition(const Reward& reward) {
  const std::string unit = [&]() -> std::string {
    switch (reward.unit) {
      case Reward::Unit::kRaw:
        return "";
      case Reward::Unit::kInitial:
        return " / C(0)";
      case Reward::Unit::kBaseline:
        return fmt::format(" / C({})", reward.baseline);
      case Reward::Unit::kGap:
        return fmt::format(" / (C(0) - C({}))", reward.baseline);
    }
    return "";
  }();
  if (isExperiment(reward.metric))
    return fmt::format(
        "last step: 1 - C(T) / C({}), measured in turns; -1 if it is broken; others: 0; C = {}",
        reward.baseline, reward.metric);
  return reward.at_end ? fmt::format("last step: (C(0) - C(T)){}; others: 0; C = {}", unit, reward.metric)
                       : fmt::format("step t: (C(t-1) - C(t)){}; C = {}", unit, reward.metric);
}

}  // namespace ordo::env
