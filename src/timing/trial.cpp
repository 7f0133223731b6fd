// runTrial() has the order: a block that does not count, plan(), then blocks and looks. plan() gives up runs
// of a cell before blocks. Judge is one series of pairs at one level: it asks Student's bound first and the
// bootstrap, which is dear and only widens, last. Reasons for a void trial come before any claim
// (conclude()); clear() spares the rest, from half of the blocks on also where a claim has become unlikely.
// After an interrupt the bounds are those of the looks that were taken. pValue() bisects alpha.
#include "timing/trial.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/rng.h"
#include "timing/distributions.h"
#include "timing/sequential.h"

namespace ordo::timing {
namespace {

// Fewer pairs say nothing worth an interval.
constexpr unsigned kFewestPairs = 10;
// Where a claim has become less likely than this, nobody need wait for the end.
constexpr double kFutile = 0.05;
// Room for this many blocks is worth more than another run in each cell.
constexpr unsigned kEnoughBlocks = 24;

bool stopAsked(const TrialOptions& options) { return options.stop != nullptr && *options.stop; }

// The run of a cell that took least; a run that failed, if one did.
Result<Reading> runCell(Runner& runner, Arm arm, unsigned runs, Quantity quantity) {
  Reading best;
  for (unsigned i = 0; i < runs; ++i) {
    ORDO_TRY_ASSIGN(Reading reading, runner.run(arm));
    if (!reading.failure.empty()) return reading;
    const std::optional<double> value = reading.of(quantity);
    if (!value) {
      return fail(ErrorCode::kUnavailable, "{} are not counted here: {}; --measure cpu needs no counters",
                  name(quantity), runner.countersProblem());
    }
    if (*value <= 0) {
      reading.failure = fmt::format("took no {} that could be measured", name(quantity));
      return reading;
    }
    if (i == 0 || *value < *best.of(quantity)) best = std::move(reading);
  }
  return best;
}

// Runs one block and adds it to `evidence`. The value is what a program did wrong, or "". A block that was
// interrupted is not added.
Result<std::string> runBlock(Runner& runner, const TrialOptions& options, unsigned runs, Rng& rng,
                             Evidence& evidence) {
  std::array<Arm, 2 * kArms> order{Arm::kBaseline, Arm::kCandidate, Arm::kTwin};
  rng.shuffle(std::span(order).first(kArms));
  std::reverse_copy(order.begin(), order.begin() + kArms, order.begin() + kArms);
  std::array<std::vector<Reading>, kArms> cells;
  std::array<double, kArms> logs{};
  for (const Arm arm : order) {
    if (stopAsked(options)) return "";
    ORDO_TRY_ASSIGN(Reading reading, runCell(runner, arm, runs, options.quantity));
    if (stopAsked(options)) return "";
    if (!reading.failure.empty()) return std::move(reading.failure);
    const auto index = static_cast<std::size_t>(arm);
    logs[index] += std::log(*reading.of(options.quantity)) / 2;
    cells[index].push_back(std::move(reading));
  }
  for (std::size_t i = 0; i < kArms; ++i) std::ranges::move(cells[i], std::back_inserter(evidence.cells[i]));
  evidence.baseline.push_back(logs[0]);
  evidence.candidate.push_back(logs[0] - logs[1]);
  evidence.twin.push_back(logs[0] - logs[2]);
  return "";
}

// How many blocks, and how many runs in each cell, fit into the budget.
void plan(double block_s, const TrialOptions& options, Trial& trial) {
  trial.runs = options.runs;
  const auto fitting = [&] {
    const double run_s = std::max(block_s / options.runs, 1e-6);
    // Whoever was late has less than nothing left.
    return static_cast<unsigned>(std::clamp(options.budget_s / (run_s * trial.runs), 0.0, 1.0 * kMostBlocks));
  };
  while (trial.runs > 1 && fitting() < kEnoughBlocks) --trial.runs;
  trial.planned = fitting();
}

// What can be said about one series of pairs at one level. The bootstrap is dear and only ever widens, so it
// is asked last.
struct Judge {
  std::span<const double> pairs;
  double level;
  const TrialOptions& options;
  Centre at = centre(pairs);

  Bootstrap bootstrap() const { return {options.resamples, options.seed}; }

  Interval interval() const {
    const double half = CriticalValues(pairs, bootstrap()).at(level) * at.error;
    return {at.mean, at.mean - half, at.mean + half};
  }
  bool differs(double least) const {
    const double beyond = std::abs(at.mean) - least;
    return beyond > studentCritical(level, at.df) * at.error &&
           beyond > CriticalValues(pairs, bootstrap()).at(level) * at.error;
  }
};

double leastLog(const TrialOptions& options) { return std::log1p(options.least_effect); }

double driftOf(std::span<const double> logs) {
  const std::size_t half = logs.size() / 2;
  const std::vector<double> first(logs.begin(), logs.begin() + static_cast<std::ptrdiff_t>(half));
  const std::vector<double> second(logs.end() - static_cast<std::ptrdiff_t>(half), logs.end());
  return std::expm1(std::abs(median(second) - median(first)));
}

// Why what was measured says nothing, or "".
std::string voidReason(const Trial& trial, double level, const TrialOptions& options) {
  if (trial.others > (options.quantity == Quantity::kWall ? kMostOthersOfWall : kMostOthers)) {
    return fmt::format("others had {:.0f} % of the processor", 100 * trial.others);
  }
  if (trial.drift > options.most_drift) {
    return fmt::format("the baseline itself changed by {:.0f} % on the way", 100 * trial.drift);
  }
  if (Judge{trial.evidence.twin, level, options}.differs(0)) {
    return "a copy of the baseline differs from the baseline";
  }
  return "";
}

std::string percent(double log_ratio) { return fmt::format("{:.2g} %", 100 * std::expm1(log_ratio)); }

// The verdict of the last look, whose level is `level`.
void conclude(double level, const TrialOptions& options, Trial& trial) {
  trial.candidate = Judge{trial.evidence.candidate, level, options}.interval();
  trial.twin = Judge{trial.evidence.twin, level, options}.interval();
  trial.why = voidReason(trial, level, options);
  if (!trial.why.empty()) return;
  const double least = leastLog(options);
  if (trial.candidate.low > least) {
    trial.verdict = Verdict::kBetter;
    trial.why = fmt::format("all of the interval is above {}", percent(least));
  } else if (trial.candidate.high < -least) {
    trial.verdict = Verdict::kWorse;
    trial.why = fmt::format("all of the interval is below -{}", percent(least));
  } else {
    trial.verdict = Verdict::kNoDifference;
    const double most = std::max(std::abs(trial.candidate.low), std::abs(trial.candidate.high));
    trial.why = most < least ? fmt::format("any there is is less than {}", percent(least))
                             : fmt::format("one of up to {} is not ruled out", percent(most));
  }
}

// Whether the rest of the trial can be spared: the claim is made, the trial is void, a difference is ruled
// out, or a claim has become unlikely.
bool clear(double level, double critical_at_end, const TrialOptions& options, const Trial& trial) {
  const Judge judge{trial.evidence.candidate, level, options};
  const double least = leastLog(options);
  if (judge.differs(least) || !voidReason(trial, level, options).empty()) return true;
  const double t = trial.fractions.back();
  if (t < 0.5) return false;
  const double z = judge.at.error > 0 ? (std::abs(judge.at.mean) - least) / judge.at.error : -40;
  return conditionalPower(z, t, critical_at_end) < kFutile;
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBetter:
      return "faster";
    case Verdict::kWorse:
      return "slower";
    case Verdict::kNoDifference:
      return "no difference shown";
    case Verdict::kVoid:
      return "void";
  }
  return "void";
}

Result<Trial> runTrial(Runner& runner, const Clock& clock, const TrialOptions& options) {
  const double start_s = clock.seconds();
  Trial trial;
  Rng rng(options.seed);
  const auto finish = [&](std::string why, bool repeatable = true) {
    trial.why = std::move(why);
    trial.repeatable = repeatable;
    trial.seconds = clock.seconds() - start_s;
    trial.stopped = stopAsked(options);
    return std::move(trial);
  };

  // A first block, which does not count: it warms caches and tells how many fit into the budget.
  Evidence warm;
  ORDO_TRY_ASSIGN(std::string failure, runBlock(runner, options, options.runs, rng, warm));
  if (!failure.empty()) return finish(std::move(failure), false);
  if (stopAsked(options)) return finish("it was interrupted before anything was known");
  plan(clock.seconds() - start_s, options, trial);
  if (trial.planned < kFewestBlocks) {
    trial.too_short = true;
    const double needed_s = 1 + 1.1 * kFewestBlocks * (clock.seconds() - start_s) / options.runs;
    return finish(fmt::format("only {} blocks fit into its time and {} are needed: there is enough in "
                              "{:.0f} s",
                              trial.planned, kFewestBlocks, std::ceil(needed_s / options.share)),
                  false);
  }
  runner.othersShare();

  // Blocks, with a look after each quarter.
  std::vector<double> looks;
  for (unsigned i = 1; i <= kLooks; ++i) {
    const unsigned blocks = trial.planned * i / kLooks;
    if (blocks >= kFewestPairs) looks.push_back(static_cast<double>(blocks) / trial.planned);
  }
  std::vector<double> critical = boundaries(looks, options.alpha);
  double others_s = 0, measured_s = 0;
  for (std::size_t look = 0; look < looks.size(); ++look) {
    const double look_start_s = clock.seconds();
    const auto until = static_cast<std::size_t>(std::lround(looks[look] * trial.planned));
    while (trial.evidence.candidate.size() < until && !stopAsked(options)) {
      ORDO_TRY_ASSIGN(failure, runBlock(runner, options, trial.runs, rng, trial.evidence));
      if (!failure.empty()) return finish(std::move(failure), false);
      if (options.on_block)
        options.on_block(static_cast<unsigned>(trial.evidence.candidate.size()), trial.planned);
    }
    const auto blocks = trial.evidence.candidate.size();
    if (blocks < kFewestPairs) return finish("it was interrupted before anything was known");
    others_s += runner.othersShare() * (clock.seconds() - look_start_s);
    measured_s += clock.seconds() - look_start_s;
    trial.others = measured_s > 0 ? others_s / measured_s : 0;
    trial.drift = driftOf(trial.evidence.baseline);
    const double fraction = static_cast<double>(blocks) / trial.planned;
    if (trial.fractions.empty() || fraction > trial.fractions.back()) trial.fractions.push_back(fraction);
    // Where it was interrupted, the last look is not the one that was planned.
    if (fraction < looks[look]) critical = boundaries(trial.fractions, options.alpha);
    const double level = normalTail(critical[trial.fractions.size() - 1]);
    const bool last = look + 1 == looks.size() || stopAsked(options);
    if (!last && !clear(level, critical.back(), options, trial)) continue;
    conclude(level, options, trial);
    break;
  }
  return finish(std::move(trial.why));
}

double pValue(const Trial& trial, const TrialOptions& options) {
  if (trial.verdict == Verdict::kVoid) return 1;
  const Centre at = centre(trial.evidence.candidate);
  const double beyond = std::abs(at.mean) - leastLog(options);
  if (beyond <= 0) return 1;
  const CriticalValues values(trial.evidence.candidate, {options.resamples, options.seed});
  const auto claims = [&](double log_alpha) {
    const double level = normalTail(boundaries(trial.fractions, std::exp(log_alpha)).back());
    return beyond > values.at(level) * at.error;
  };
  constexpr double kLeastAlpha = 1e-9;
  double low = std::log(kLeastAlpha), high = std::log(0.5);
  if (!claims(high)) return 1;
  if (claims(low)) return 2 * kLeastAlpha;
  while (high - low > 0.01) {
    const double middle = (low + high) / 2;
    (claims(middle) ? high : low) = middle;
  }
  return 2 * std::exp(high);
}

}  // namespace ordo::timing
