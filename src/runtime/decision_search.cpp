// Descent::run() is the order: findMovable() compiles and keeps, for each part, the first decision that
// changes the count of instructions; hottest() races these; and decide() takes the hot ones in turn, each
// with time in proportion to its heat. decided_ holds what is settled, and every later candidate has it too
// (with()). A race of many has a lucky winner: a new decision has to beat what is reached by the noise of its
// own pairs and a least gain (surely()). A race that settles nothing leaves the bench as it was (leave()).
#include "runtime/decision_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "timing/estimate.h"
#include "timing/field_experiment.h"
#include "timing/race.h"

namespace ordo::runtime {
namespace {

using search::Effort;
using search::Evaluation;

constexpr std::size_t kMostProbed = 24;  // parts that are built to see whether they are hot
constexpr std::size_t kMostDecided = 4;  // parts
constexpr std::size_t kKept = 3;         // of a race
constexpr double kLookShare = 0.3;       // of the budget, until it is known what is hot; at most
constexpr double kLeastHeat = 0.01;  // what is not hot has little time, but some: a probe need not show it
constexpr double kBuildShare = 0.4;  // of the time for one part
const double kLeastGain = std::log(1.005);  // what is not worth a decision
constexpr std::size_t kFewestPairs = 3;     // that say how far pairs are apart

// What a candidate has gained if its pairs were not lucky: three standard errors below its score. It is the
// best of two dozen.
double surely(const timing::Standing& standing) {
  std::vector<double> deviations;
  for (const double pair : standing.pairs) deviations.push_back(std::abs(pair - standing.score()));
  const double sigma = 1.4826 * timing::median(deviations);  // of a normal distribution
  return standing.score() - 3 * sigma / std::sqrt(static_cast<double>(deviations.size()));
}

class Descent {
 public:
  Descent(BuiltField& bench, search::Evaluator& evaluator, const Decisions& decisions, const Clock& clock,
          const DecisionSearchOptions& options)
      : bench_(bench),
        evaluator_(evaluator),
        decidable_(decisions),
        clock_(clock),
        options_(options),
        end_s_(clock.seconds() + options.budget_s) {}

  Result<DecisionRaces> run() {
    const double looked_s = clock_.seconds() + kLookShare * options_.budget_s;
    ORDO_TRY_ASSIGN(const std::vector<Decision> probes, findMovable(looked_s));
    ORDO_TRY_ASSIGN(std::vector<Part> hot, hottest(probes, looked_s));
    hot.resize(std::min(hot.size(), kMostDecided));
    double heat = 0;
    for (const Part& part : hot) heat += part.heat;
    for (const Part& part : hot) {
      if (left() <= 0 || stopAsked()) break;
      ORDO_TRY(decide(part.number, clock_.seconds() + left() * part.heat / heat));
      heat -= part.heat;
    }
    return races_;
  }

 private:
  struct Part {
    std::size_t number;
    double heat;  // how far a decision moved its time, as a log-ratio, and no less than kLeastHeat
  };

  bool stopAsked() const { return options_.stop != nullptr && *options_.stop; }
  double left() const { return end_s_ - clock_.seconds(); }
  void say(std::string_view step) const {
    if (options_.on_step) options_.on_step(step);
  }

  // What comes of `decided_` with each of `more`; what there was no time for, until `until_s`, is skipped.
  Result<std::vector<Evaluation>> evaluate(const std::vector<Decision>& more, double until_s) {
    evaluator_.limit({.seconds = evaluator_.statistics().seconds + until_s - clock_.seconds()});
    std::vector<search::Sequence> batch;
    for (const Decision& decision : more) batch.push_back(with(decision));
    std::vector<Evaluation> results = evaluator_.evaluate(std::move(batch), Effort::kFull);
    ORDO_TRY(evaluator_.status());
    return results;
  }

  search::Sequence with(const Decision& decision) const {
    std::vector<Decision> decisions = decided_;
    decisions.push_back(decision);
    return decidable_.with(decisions);
  }

  // A decision for each part that has one that changes its code.
  Result<std::vector<Decision>> findMovable(double until_s) {
    std::vector<Decision> movable;
    say(fmt::format("looking at {} {}s", decidable_.parts().size(), decidable_.noun()));
    evaluator_.limit({.seconds = evaluator_.statistics().seconds + options_.budget_s});
    const Evaluation base = evaluator_.evaluateOne(decidable_.with({}), Effort::kFull);
    ORDO_TRY(evaluator_.status());
    if (!base.measured()) return movable;
    for (const std::size_t part : decidable_.parts()) {
      if (movable.size() == kMostProbed || evaluator_.done() || stopAsked()) break;
      const std::vector<Decision> ways = decidable_.probes(part);
      ORDO_TRY_ASSIGN(const std::vector<Evaluation> results, evaluate(ways, until_s));
      for (std::size_t i = 0; i < ways.size(); ++i) {
        if (!results[i].measured() || results[i].value == base.value) continue;
        movable.push_back(ways[i]);
        break;
      }
    }
    return movable;
  }

  // Runs each beside the baseline, if there are two or more. The hotter a part, the more it matters what is
  // decided.
  Result<std::vector<Part>> hottest(const std::vector<Decision>& probes, double until_s) {
    std::vector<Part> parts;
    if (probes.size() == 1) parts.push_back({probes.front().part, 1});
    if (probes.size() < 2) return parts;
    std::vector<Decision> built;
    const std::size_t before = bench_.size();
    for (const Decision& probe : probes) {
      if (stopAsked() || clock_.seconds() > until_s) break;
      say(fmt::format("building with a decision about {} {}", decidable_.noun(), probe.part));
      ORDO_TRY_ASSIGN(const Added added, bench_.add(with(probe)));
      const bool is_new = added.code == Added::Code::kNew;
      if (is_new) built.push_back(probe);
      races_.candidates += is_new;
    }
    ORDO_TRY_ASSIGN(const std::vector<timing::Standing> standings,
                    race(std::max(until_s - clock_.seconds(), 0.0), bench_.size()));
    const double reached = reachedBy(standings, before);
    for (const timing::Standing& standing : standings) {
      if (standing.candidate < before) continue;
      const double effect = standing.sound() ? std::abs(standing.score() - reached) : 0;
      if (std::isfinite(effect))
        parts.push_back({built[standing.candidate - before].part, std::max(effect, kLeastHeat)});
    }
    std::ranges::sort(parts, [](const Part& a, const Part& b) {
      return std::pair(b.heat, a.number) < std::pair(a.heat, b.number);
    });
    leave(before);
    return parts;
  }

  // Only the first so many.
  void leave(std::size_t first) {
    std::vector<std::size_t> kept(first);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    bench_.keep(kept);
  }

  // By what is decided, which is the first of those that were there `before`, or else the baseline.
  static double reachedBy(const std::vector<timing::Standing>& standings, std::size_t before) {
    for (const timing::Standing& standing : standings)
      if (before > 0 && standing.candidate == 0 && standing.sound()) return standing.score();
    return 0;
  }

  Result<std::vector<timing::Standing>> race(double budget_s, std::size_t finalists) {
    timing::RaceOptions race;
    race.budget_s = budget_s;
    race.finalists = finalists;
    race.seed = options_.seed;
    race.stop = options_.stop;
    timing::FieldExperiment experiment(bench_, clock_, {.stop = options_.stop});
    ORDO_TRY_ASSIGN(std::vector<timing::Standing> standings, timing::race(experiment, clock_, race));
    races_.refused += static_cast<std::size_t>(
        std::ranges::count_if(standings, [](const timing::Standing& standing) { return !standing.sound(); }));
    return standings;
  }

  // What is on the bench stays there: it stands for what is decided.
  Status decide(std::size_t part, double until_s) {
    const double built_s = clock_.seconds() + kBuildShare * (until_s - clock_.seconds());
    std::vector<Decision> ways = decidable_.ways(part);
    Rng(options_.seed).shuffle(std::span(ways));  // in any order: there may be no time for all
    ORDO_TRY_ASSIGN(const std::vector<Evaluation> results, evaluate(ways, built_s));
    const std::size_t before = bench_.size();
    std::vector<Decision> built;
    for (std::size_t i = 0; i < ways.size() && !stopAsked() && clock_.seconds() < built_s; ++i) {
      if (!results[i].measured()) continue;
      say(fmt::format("building {} {} another way ({})", decidable_.noun(), part, built.size() + 1));
      ORDO_TRY_ASSIGN(const Added added, bench_.add(with(ways[i])));
      const bool is_new = added.code == Added::Code::kNew;
      if (is_new) built.push_back(ways[i]);
      races_.candidates += is_new;
    }
    if (built.empty() || stopAsked()) return {};
    say(fmt::format("a race of {} ways to compile {} {}", built.size(), decidable_.noun(), part));
    ORDO_TRY_ASSIGN(const std::vector<timing::Standing> standings,
                    race(std::max(until_s - clock_.seconds(), 0.0), kKept));
    const double reached = reachedBy(standings, before);
    const timing::Standing& best = standings.front();
    const bool better = best.candidate >= before && best.sound() && best.pairs.size() >= kFewestPairs &&
                        surely(best) > reached + kLeastGain;
    if (better) decided_.push_back(built[best.candidate - before]);
    std::vector<std::size_t> kept;
    for (const timing::Standing& standing : standings) {
      if (kept.size() < kKept && standing.sound() && standing.score() > 0) kept.push_back(standing.candidate);
    }
    if (better)
      bench_.keep(kept);
    else
      leave(before);
    return {};
  }

  BuiltField& bench_;
  search::Evaluator& evaluator_;
  const Decisions& decidable_;
  const Clock& clock_;
  const DecisionSearchOptions& options_;
  const double end_s_;
  std::vector<Decision> decided_;
  DecisionRaces races_;
};

}  // namespace

Result<DecisionRaces> searchDecisions(BuiltField& bench, search::Evaluator& evaluator,
                                      const Decisions& decisions, const Clock& clock,
                                      const DecisionSearchOptions& options) {
  return Descent(bench, evaluator, decisions, clock, options).run();
}

}  // namespace ordo::runtime
