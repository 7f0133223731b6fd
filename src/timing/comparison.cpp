// compare() repeats a void trial with the next seed if another might not be void, and keeps why it was.
// Speeds are kept as log-ratios of times and become factors only where they are shown or written. adjust()
// can take a claim back but never makes one. A trial that ended before its first look has no intervals, and
// neither output shows any.
#include "timing/comparison.h"

#include <algorithm>
#include <cmath>

#include "support/text.h"
#include "timing/estimate.h"

namespace ordo::timing {
namespace {

bool counts(Quantity quantity) {
  return quantity == Quantity::kCycles || quantity == Quantity::kInstructions;
}

std::string amount(double value, Quantity quantity) {
  if (counts(quantity)) return fmt::format("{} {}", grouped(value), name(quantity));
  if (value < 1e-3) return fmt::format("{:.1f} µs", 1e6 * value);
  if (value < 1) return fmt::format("{:.2f} ms", 1e3 * value);
  return fmt::format("{:.3f} s", value);
}

std::string_view describe(Quantity quantity) {
  switch (quantity) {
    case Quantity::kCpu:
      return "processor time, user and system";
    case Quantity::kUser:
      return "processor time, user";
    case Quantity::kWall:
      return "time on the wall clock";
    case Quantity::kCycles:
    case Quantity::kInstructions:
      return "in user mode";
  }
  return "";
}

// "1.0321 x [1.0270, 1.0388]": how many times as fast, with the interval.
std::string times(const Interval& interval) {
  return fmt::format("{:.4f} x [{:.4f}, {:.4f}]", std::exp(interval.value), std::exp(interval.low),
                     std::exp(interval.high));
}

std::string headline(const Comparison& comparison) {
  const Trial& trial = comparison.trial;
  const std::string& a = comparison.baseline;
  const std::string& b = comparison.candidate;
  switch (trial.verdict) {
    case Verdict::kBetter:
    case Verdict::kWorse:
      return fmt::format("{}: {} takes {:.1f} % {} than {}\n", name(trial.verdict), b,
                         100 * std::abs(std::expm1(-trial.candidate.value)),
                         trial.verdict == Verdict::kBetter ? "less" : "more", a);
    case Verdict::kNoDifference:
      return fmt::format("no difference shown between {} and {}\n", a, b);
    case Verdict::kVoid:
      return fmt::format("void: nothing can be said about {} and {}\n", a, b);
  }
  return "";
}

std::string row(std::string_view label, std::string_view text) {
  return fmt::format("  {:9} {}\n", label, text);
}

std::string amounts(const Comparison& comparison, Quantity quantity) {
  const std::optional<double> baseline = typical(comparison.trial, Arm::kBaseline, quantity);
  const std::optional<double> candidate = typical(comparison.trial, Arm::kCandidate, quantity);
  if (!baseline || !candidate) return "";
  return row(counts(quantity) ? "counted" : name(quantity),
             fmt::format("{} against {} ({})", amount(*candidate, quantity), amount(*baseline, quantity),
                         describe(quantity)));
}

std::string spentText(const Comparison& comparison) {
  const Trial& trial = comparison.trial;
  const auto blocks = trial.evidence.candidate.size();
  return fmt::format("{}, {} of {} blocks of 2 x 3 x {} runs on processor {}{}", duration(trial.seconds),
                     blocks, trial.planned, trial.runs, comparison.processor,
                     trial.stopped            ? "; interrupted"
                     : blocks == 0            ? ""
                     : blocks < trial.planned ? "; that was clear enough"
                                              : "");
}

Json toJson(const Interval& interval) {
  return {{"speedup", std::exp(interval.value)},
          {"low", std::exp(interval.low)},
          {"high", std::exp(interval.high)}};
}

Json toJson(const Trial& trial, Arm arm) {
  Json json = Json::object();
  for (const Quantity quantity :
       {Quantity::kCpu, Quantity::kUser, Quantity::kWall, Quantity::kCycles, Quantity::kInstructions}) {
    const std::optional<double> value = typical(trial, arm, quantity);
    const std::string key = fmt::format("{}{}", name(quantity), counts(quantity) ? "" : "_s");
    json[key] = value ? Json(*value) : Json();
  }
  return json;
}

// Of the processor being taken from a run, on average over the runs that were kept.
double switches(const Trial& trial) {
  double sum = 0, runs = 0;
  for (const auto& cells : trial.evidence.cells) {
    for (const Reading& reading : cells) sum += reading.switches, ++runs;
  }
  return runs > 0 ? sum / runs : 0;
}

}  // namespace

std::optional<double> typical(const Trial& trial, Arm arm, Quantity quantity) {
  std::vector<double> values;
  for (const Reading& cell : trial.evidence.cells[static_cast<std::size_t>(arm)]) {
    const std::optional<double> value = cell.of(quantity);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return median(std::move(values));
}

Result<Comparison> compare(Runner& runner, const Clock& clock, const TrialOptions& options,
                           unsigned repeats) {
  Comparison comparison;
  comparison.options = options;
  comparison.counters_problem = runner.countersProblem();
  for (unsigned i = 0; i <= repeats; ++i) {
    TrialOptions now = options;
    now.seed = options.seed + i;
    ORDO_TRY_ASSIGN(Trial trial, runTrial(runner, clock, now));
    const bool again = trial.verdict == Verdict::kVoid && !trial.stopped && trial.repeatable && i < repeats;
    if (again) {
      comparison.voided.push_back(std::move(trial.why));
      continue;
    }
    comparison.p = pValue(trial, now);
    comparison.trial = std::move(trial);
    break;
  }
  return comparison;
}

Comparison identicalPrograms(const TrialOptions& options) {
  Comparison comparison;
  comparison.identical = true;
  comparison.options = options;
  comparison.trial.verdict = Verdict::kNoDifference;
  comparison.trial.why = "what is loaded of both is the same, byte for byte; neither was run";
  return comparison;
}

void adjust(std::vector<Comparison>& comparisons) {
  std::vector<double> p;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.identical) p.push_back(comparison.p);
  }
  const std::vector<double> adjusted = holm(p);
  auto next = adjusted.begin();
  for (Comparison& comparison : comparisons) {
    if (comparison.identical) continue;
    comparison.p = *next++;
    const bool claim = comparison.verdict() == Verdict::kBetter || comparison.verdict() == Verdict::kWorse;
    if (!claim || comparison.p <= 2 * comparison.options.alpha) continue;
    comparison.trial.why = fmt::format("{} by itself, but with {} programs p is {:.2g}",
                                       name(comparison.verdict()), p.size(), comparison.p);
    comparison.trial.verdict = Verdict::kNoDifference;
  }
}

std::string toText(const Comparison& comparison) {
  const Trial& trial = comparison.trial;
  std::string text = headline(comparison) + row("because", trial.why);
  for (const std::string& why : comparison.voided) text += row("before", "a void trial: " + why);
  if (comparison.identical) return text;
  const bool measured = !trial.fractions.empty();
  if (measured) {
    text += row("speed", fmt::format("{}{}", times(trial.candidate),
                                     comparison.p < 1 ? fmt::format(", p = {:.1g}", comparison.p) : ""));
    text += row("A/A", fmt::format("{} for a copy of the baseline beside them", times(trial.twin)));
    text += amounts(comparison, comparison.options.quantity);
    if (comparison.options.quantity != Quantity::kWall) text += amounts(comparison, Quantity::kWall);
    text +=
        row("noise", fmt::format("others had {:.0f} % of the processor; {:.1f} involuntary switches a run; "
                                 "drift {:.1f} %",
                                 100 * trial.others, switches(trial), 100 * trial.drift));
    if (!comparison.counters_problem.empty()) {
      text += row("counters", "cycles and instructions are not counted: " + comparison.counters_problem);
    } else {
      for (const Quantity quantity : {Quantity::kCycles, Quantity::kInstructions}) {
        if (quantity != comparison.options.quantity) text += amounts(comparison, quantity);
      }
    }
  }
  return text + row("spent", spentText(comparison));
}

Json toJson(const Comparison& comparison) {
  const Trial& trial = comparison.trial;
  Json json{{"baseline", comparison.baseline},
            {"candidate", comparison.candidate},
            {"verdict", name(trial.verdict)},
            {"why", trial.why},
            {"identical", comparison.identical},
            {"quantity", name(comparison.options.quantity)},
            {"least_effect", comparison.options.least_effect},
            {"alpha_per_side", comparison.options.alpha},
            {"p", comparison.p},
            {"voided", comparison.voided}};
  if (comparison.identical) return json;
  const bool measured = !trial.fractions.empty();
  json["candidate_to_baseline"] = measured ? toJson(trial.candidate) : Json();
  json["twin_to_baseline"] = measured ? toJson(trial.twin) : Json();
  json["of_baseline"] = toJson(trial, Arm::kBaseline);
  json["of_candidate"] = toJson(trial, Arm::kCandidate);
  json["blocks"] = trial.evidence.candidate.size();
  json["blocks_planned"] = trial.planned;
  json["runs_of_a_cell"] = trial.runs;
  json["looks"] = trial.fractions;
  json["seed"] = comparison.options.seed + comparison.voided.size();
  json["seconds"] = trial.seconds;
  json["interrupted"] = trial.stopped;
  json["processor"] = comparison.processor;
  json["others_share"] = trial.others;
  json["involuntary_switches_a_run"] = switches(trial);
  json["drift"] = trial.drift;
  json["counters_problem"] = comparison.counters_problem;
  json["log_ratios"] = {{"candidate", trial.evidence.candidate}, {"twin", trial.evidence.twin}};
  return json;
}

}  // namespace ordo::timing
