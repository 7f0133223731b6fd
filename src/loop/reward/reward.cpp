// Each window gives three numbers: the log-ratio of the rewarded quantile, that of the tail, and the share of
// the canary's requests that violate the objective beyond control's. Each series has its own interval that
// holds at every look, at a third of alpha, because any of the three can reject. To be promoted, all three
// have to agree, which can only make that rarer.
#include "loop/reward/reward.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ordo::loop {
namespace {

// Buckets hide how much a quantile varies within one: what that is worth, in log, at a width of 2 %.
constexpr double kLeastDeviation = 0.02 / 3.4641;
constexpr std::array<std::string_view, 5> kVerdicts = {"pending", "promote", "reject", "inconclusive",
                                                       "void"};

double badOf(const ArmWindow& arm, double slo_s) {
  return std::min(requestsOf(arm), arm.latency.above(slo_s) + failuresOf(arm));
}

std::string percent(double logarithm) { return fmt::format("{:+.2f} %", 100 * std::expm1(logarithm)); }

std::string interval(const Bounds& bounds) {
  return fmt::format("{} [{}, {}]", percent(bounds.value), percent(bounds.low), percent(bounds.high));
}

// All that a window says, for hashing: in a tenth of the time that its text takes.
void append(std::string& bytes, const Window& window) {
  const auto raw = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  static_assert(sizeof(Cell) == 24, "cells have no padding");
  raw(window.begin_s), raw(window.end_s), raw(window.share), raw(window.gap.size());
  bytes += window.gap;
  for (const ArmWindow* arm : {&window.control, &window.canary}) {
    raw(arm->latency.cells().size());
    for (const Cell& cell : arm->latency.cells()) raw(cell);
    raw(arm->errors), raw(arm->redispatches), raw(arm->up), raw(arm->reset);
    // Those of an older Ordo have none, and keep their hash.
    if (arm->aborts > 0 || arm->tries > 0) raw(arm->aborts), raw(arm->tries);
    if (arm->compared > 0 || arm->odd_again > 0) raw(arm->compared), raw(arm->odd), raw(arm->odd_again);
  }
}

struct Series {
  std::vector<double> speed, tail, excess, wrong, left;
};

// Requests of the canary that failed beyond the share of control's.
double failedBeyond(const Window& window) {
  const auto share = [](const ArmWindow& arm) { return failuresOf(arm) / std::max(1.0, requestsOf(arm)); };
  return (share(window.canary) - share(window.control)) * requestsOf(window.canary);
}

double leftShare(const ArmWindow& arm) {
  return std::min(1.0, static_cast<double>(arm.aborts) / std::max(1.0, requestsOf(arm)));
}

// Two shares of so many answers vary by that much at least, also where none was wrong.
std::optional<Bounds> wrongOf(std::span<const double> shares, const Reward& reward, double alpha) {
  const auto count = static_cast<double>(shares.size()), answers = static_cast<double>(reward.compared);
  const double odd = static_cast<double>(reward.canary_odd + reward.control_odd);
  const double share = std::clamp((odd + 1) / (2 * answers + 1), 0.0, 1.0);
  const double deviation = std::sqrt(share * (1 - share) * 2 * count / answers);
  return sequence(shares, alpha, deviation / std::sqrt(static_cast<double>(batchSize(shares.size()))));
}

// Each has its part of alpha.
double seriesOf(const RewardOptions& options, const Reward& reward) {
  return 3 + (options.answers ? 1 : 0) + (reward.clients_left > 0 ? 1 : 0);
}

// Whether the intervals decide, and by which. `failed`: what of the excess did not just take too long.
void decide(const RewardOptions& options, double failed, Reward& reward) {
  const auto say = [&](Verdict verdict, std::string why) {
    reward.verdict = verdict;
    reward.why = std::move(why);
  };
  if (evidence(reward.canary_odd, reward.control_odd) > std::log(seriesOf(options, reward) / options.alpha)) {
    reward.harm = true;
    return say(
        Verdict::kReject,
        fmt::format("it answers wrongly: {} times other than production and control, which agree; control "
                    "alone does so {} times",
                    reward.canary_odd, reward.control_odd));
  }
  if (reward.excess && reward.excess->low > options.most_excess) {
    reward.harm = 2 * failed > reward.spent;
    return say(Verdict::kReject,
               fmt::format("{:.2f} % more of its requests than of control's violate the objective, at least "
                           "{:.2f} %; {:.2f} % are allowed",
                           100 * reward.excess->value, 100 * reward.excess->low, 100 * options.most_excess));
  }
  // What they would have waited for is in nobody's figures. They leave control too, and are no part of the
  // excess: where many do, it would never be known well enough.
  if (reward.left && reward.left->low > options.most_excess) {
    reward.harm = true;
    return say(
        Verdict::kReject,
        fmt::format("{:.2f} % more of its clients than of control's leave before they are answered, at least "
                    "{:.2f} %; {:.2f} % are allowed",
                    100 * reward.left->value, 100 * reward.left->low, 100 * options.most_excess));
  }
  if (reward.speed && reward.speed->high < -options.least_effect)
    return say(Verdict::kReject,
               fmt::format("its p{:g} is slower: speed {}", 100 * options.quantile, interval(*reward.speed)));
  if (reward.tail && reward.tail->high < -options.most_tail_loss)
    return say(Verdict::kReject,
               fmt::format("its p{:g} is slower: speed {}", 100 * options.tail, interval(*reward.tail)));
  if (!reward.speed || !reward.tail || !reward.excess || reward.speed->low <= options.least_effect) return;
  if (reward.tail->low <= -options.most_tail_loss || reward.excess->high > options.most_excess) {
    reward.why = fmt::format("its p{:g} is faster, speed {}, but its tail is not known well enough yet",
                             100 * options.quantile, interval(*reward.speed));
    return;
  }
  if (options.answers && (!reward.wrong || reward.wrong->high > options.most_wrong)) {
    reward.why = fmt::format(
        "its p{:g} is faster, speed {}, but of {} answers that were compared too few are known "
        "to be right: up to {:.3f} % may be wrong, and {:.3f} % is allowed",
        100 * options.quantile, interval(*reward.speed), reward.compared,
        reward.wrong ? 100 * reward.wrong->high : 100.0, 100 * options.most_wrong);
    return;
  }
  say(Verdict::kPromote, fmt::format("its p{:g} is faster: speed {}, and neither tail nor errors are worse",
                                     100 * options.quantile, interval(*reward.speed)));
}

// At the horizon: what to do, and not only that nothing is known.
std::string tooFew(std::size_t used, const RewardOptions& options) {
  const std::size_t fewest = fewestValues(options.alpha / 3);
  if (used < fewest)
    return fmt::format(
        "{} windows are too few to tell anything by, whatever is in them; it takes {} at this alpha: raise "
        "horizon"
        " of [reward], and shorten window_s if it is to take no longer",
        used, fewest);
  return fmt::format(
      "{} windows that resemble their neighbours so much are too few: raise horizon of [reward]", used);
}

}  // namespace

std::string_view name(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> verdictOf(std::string_view name) {
  const auto place = std::ranges::find(kVerdicts, name);
  if (place == kVerdicts.end()) return std::nullopt;
  return static_cast<Verdict>(place - kVerdicts.begin());
}

std::string problemOf(const Window& window, const RewardOptions& options) {
  if (!window.gap.empty()) return window.gap;
  for (const auto& [arm, who] :
       {std::pair(&window.control, "control"), std::pair(&window.canary, "the canary")}) {
    if (!arm->up) return fmt::format("{} was down", who);
    if (arm->reset) return fmt::format("{} was restarted", who);
    if (const std::uint64_t count = arm->latency.count(); count < options.fewest_requests)
      return fmt::format("{} had {} requests; {} are needed", who, count, options.fewest_requests);
    for (const double q : {options.quantile, options.tail})
      if (!arm->latency.quantile(q))
        return fmt::format("the p{:g} of {} is beyond its last bucket", 100 * q, who);
  }
  return "";
}

double excessOf(const Window& window, const RewardOptions& options) {
  const double canary = requestsOf(window.canary), control = requestsOf(window.control);
  if (canary <= 0 || control <= 0) return 0;
  return badOf(window.canary, options.slo_s) - badOf(window.control, options.slo_s) / control * canary;
}

Reward computeReward(std::span<const Window> windows, const RewardOptions& options, bool final) {
  Reward reward;
  std::string inputs = writeJson(toJson(options));
  Series series;
  double control_bad = 0, canary_bad = 0, control_log = 0, canary_log = 0, failed = 0;
  std::string problem;
  for (const Window& window : windows.first(std::min(windows.size(), options.horizon))) {
    ++reward.windows;
    append(inputs, window);
    if (window.gap.empty()) {
      reward.compared += window.canary.compared;
      reward.canary_odd += window.canary.odd + window.canary.odd_again;
      reward.control_odd += window.control.odd + window.control.odd_again;
    }
    if (const std::string here = problemOf(window, options); !here.empty()) {
      problem = here;
      continue;
    }
    ++reward.used;
    const double control = *window.control.latency.quantile(options.quantile);
    const double canary = *window.canary.latency.quantile(options.quantile);
    series.speed.push_back(std::clamp(std::log(control / canary), -kMostReward, kMostReward));
    series.tail.push_back(std::log(*window.control.latency.quantile(options.tail) /
                                   *window.canary.latency.quantile(options.tail)));
    series.excess.push_back(excessOf(window, options) / requestsOf(window.canary));
    series.left.push_back(leftShare(window.canary) - leftShare(window.control));
    reward.clients_left += window.canary.aborts + window.control.aborts;
    if (window.canary.compared > 0)
      series.wrong.push_back(
          (static_cast<double>(window.canary.odd) - static_cast<double>(window.control.odd)) /
          static_cast<double>(window.canary.compared));
    control_log += std::log(options.slo_s / control);
    canary_log += std::log(options.slo_s / canary);
    control_bad += badOf(window.control, options.slo_s);
    canary_bad += badOf(window.canary, options.slo_s);
    reward.control_requests += window.control.latency.count();
    reward.canary_requests += window.canary.latency.count();
    reward.spent += excessOf(window, options);
    failed += failedBeyond(window);
  }
  reward.spent = std::max(0.0, reward.spent);
  reward.inputs = hashBytes(inputs);
  if (reward.used > 0) {
    const auto used = static_cast<double>(reward.used);
    const double requests = static_cast<double>(reward.control_requests + reward.canary_requests);
    const double bad = std::clamp((control_bad + canary_bad + 1) / (requests + 1), 0.0, 1.0);
    reward.batch = batchSize(reward.used);
    reward.correlation = autocorrelation(batchMeans(series.speed, reward.batch));
    const double root = std::sqrt(static_cast<double>(reward.batch));
    const double alpha = options.alpha / seriesOf(options, reward);
    reward.speed = sequence(series.speed, alpha, kLeastDeviation / root);
    reward.tail = sequence(series.tail, alpha, kLeastDeviation / root);
    // Two shares of so many requests vary by that much at least.
    const double each = requests / (4 * used);
    reward.excess = sequence(series.excess, alpha, std::sqrt(bad * (1 - bad) / each) / root);
    if (reward.clients_left > 0) {
      const double gone = std::clamp(static_cast<double>(reward.clients_left) / (requests + 1), 0.0, 1.0);
      reward.left = sequence(series.left, alpha, std::sqrt(gone * (1 - gone) / each) / root);
    }
    if (!series.wrong.empty()) reward.wrong = wrongOf(series.wrong, reward, alpha);
    reward.value = trimmedMean(batchMeans(series.speed, reward.batch));
    reward.error =
        std::max(bootstrapError(series.speed, reward.inputs.low), kLeastDeviation / std::sqrt(used));
    reward.control_slo = control_log / used;
    reward.canary_slo = canary_log / used;
  }
  decide(options, failed, reward);
  const double gaps =
      reward.windows == 0 ? 1 : 1 - static_cast<double>(reward.used) / static_cast<double>(reward.windows);
  const bool over = final || reward.windows >= options.horizon;
  if (gaps > options.most_gaps && (over || reward.verdict == Verdict::kPromote)) {
    reward.verdict = over ? Verdict::kVoid : Verdict::kPending;
    reward.why = reward.windows == 0 ? "there is no window"
                                     : fmt::format("{} of {} windows are no evidence, the last because {}",
                                                   reward.windows - reward.used, reward.windows, problem);
  }
  if (reward.verdict == Verdict::kPending && over) {
    reward.verdict = Verdict::kInconclusive;
    if (reward.why.empty())
      reward.why = reward.speed
                       ? fmt::format("neither faster nor slower is shown: speed {}", interval(*reward.speed))
                       : tooFew(reward.used, options);
  } else if (reward.verdict == Verdict::kPending && reward.why.empty()) {
    reward.why = reward.speed ? fmt::format("not clear yet: speed {}", interval(*reward.speed))
                              : fmt::format("{} windows are too few", reward.used);
  }
  return reward;
}

Status check(const RewardOptions& options) {
  const auto demand = [](bool right, std::string_view what) -> Status {
    if (right) return {};
    return fail(ErrorCode::kInvalidArgument, "{}", what);
  };
  ORDO_TRY(demand(options.quantile >= 0.5 && options.quantile < 1, "quantile is from 0.5 to below 1"));
  ORDO_TRY(demand(options.tail >= options.quantile && options.tail < 1, "tail is from quantile to below 1"));
  ORDO_TRY(demand(options.slo_s > 0 && std::isfinite(options.slo_s), "slo is a time above 0"));
  ORDO_TRY(demand(options.least_effect >= 0 && options.least_effect <= 0.5, "least_effect is from 0 to 0.5"));
  ORDO_TRY(
      demand(options.most_tail_loss >= 0 && options.most_tail_loss <= 1, "most_tail_loss is from 0 to 1"));
  ORDO_TRY(demand(options.most_excess >= 0 && options.most_excess <= 1, "most_excess is from 0 to 1"));
  ORDO_TRY(demand(options.alpha > 0 && options.alpha <= 0.2, "alpha is above 0 and at most 0.2"));
  ORDO_TRY(demand(options.fewest_requests >= 20, "fewest_requests is 20 at least"));
  ORDO_TRY(demand(options.horizon >= 16 && options.horizon <= 100'000, "horizon is from 16 to 100000"));
  ORDO_TRY(demand(options.most_wrong > 0 && options.most_wrong <= 1, "most_wrong is above 0 and at most 1"));
  return demand(options.most_gaps >= 0 && options.most_gaps < 1, "most_gaps is from 0 to below 1");
}

std::string answersOf(const Reward& reward) {
  if (reward.compared == 0) return "not compared: a wrong one was not seen";
  return fmt::format(
      "{} compared; the canary alone had another one {} times, control {}{}", reward.compared,
      reward.canary_odd, reward.control_odd,
      reward.wrong ? fmt::format("; up to {:.3f} % may be wrong", 100 * std::max(0.0, reward.wrong->high))
                   : "");
}

std::string toText(const Reward& reward) {
  std::string text = fmt::format("{}: {}\n", name(reward.verdict), reward.why);
  if (reward.value)
    text += fmt::format("  reward    {:+.4f} +- {:.4f} (log of control's over canary's)\n", *reward.value,
                        *reward.error);
  if (reward.speed) text += fmt::format("  speed     {}\n", interval(*reward.speed));
  if (reward.tail) text += fmt::format("  tail      {}\n", interval(*reward.tail));
  if (reward.excess)
    text += fmt::format("  excess    {:+.3f} % [{:+.3f} %, {:+.3f} %] of requests, {:.0f} in all\n",
                        100 * reward.excess->value, 100 * reward.excess->low, 100 * reward.excess->high,
                        reward.spent);
  text += fmt::format("  answers   {}\n", answersOf(reward));
  text += fmt::format("  windows   {} of {} used, in batches of {} with correlation {:.2f}\n", reward.used,
                      reward.windows, reward.batch, reward.correlation);
  text += fmt::format("  requests  {} to control, {} to the canary\n", reward.control_requests,
                      reward.canary_requests);
  return text + fmt::format("  inputs    {}\n", reward.inputs.hex());
}

Json toJson(const RewardOptions& options) {
  Json json = {{"quantile", options.quantile},
               {"tail", options.tail},
               {"slo_s", options.slo_s},
               {"least_effect", options.least_effect},
               {"most_tail_loss", options.most_tail_loss},
               {"most_excess", options.most_excess},
               {"alpha", options.alpha},
               {"fewest_requests", options.fewest_requests},
               {"horizon", options.horizon},
               {"most_gaps", options.most_gaps}};
  // Those of an older Ordo have none, and keep their hash.
  if (options.answers) json["most_wrong"] = options.most_wrong;
  return json;
}

Json toJson(const Reward& reward) {
  const auto bounds = [](const std::optional<Bounds>& of) {
    return of ? Json{{"value", of->value}, {"low", of->low}, {"high", of->high}} : Json(nullptr);
  };
  const auto number = [](const std::optional<double>& of) { return of ? Json(*of) : Json(nullptr); };
  return {{"verdict", name(reward.verdict)},
          {"why", reward.why},
          {"harm", reward.harm},
          {"reward", number(reward.value)},
          {"error", number(reward.error)},
          {"speed", bounds(reward.speed)},
          {"tail", bounds(reward.tail)},
          {"excess", bounds(reward.excess)},
          {"left", bounds(reward.left)},
          {"wrong", bounds(reward.wrong)},
          {"compared", reward.compared},
          {"canary_odd", reward.canary_odd},
          {"control_odd", reward.control_odd},
          {"windows", reward.windows},
          {"used", reward.used},
          {"batch", reward.batch},
          {"correlation", reward.correlation},
          {"control_requests", reward.control_requests},
          {"canary_requests", reward.canary_requests},
          {"spent", reward.spent},
          {"control_slo", number(reward.control_slo)},
          {"canary_slo", number(reward.canary_slo)},
          {"inputs", reward.inputs.hex()}};
}

}  // namespace ordo::loop
