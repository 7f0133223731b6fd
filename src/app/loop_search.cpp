#include "app/loop_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "timing/estimate.h"
#include "timing/race.h"

namespace ordo::app {
namespace {

using search::Effort;
using search::Evaluation;

constexpr std::size_t kMostProbed = 24;     // loops that are built to see whether they are hot
constexpr std::size_t kMostDecided = 4;     // loops
constexpr std::size_t kKept = 3;            // of a race
constexpr double kLookShare = 0.3;          // of the budget, until the hot loops are known; at most
constexpr double kBuildShare = 0.4;         // of the time for one loop
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
  Descent(BuiltField& bench, search::Evaluator& evaluator, const LoopActions& actions, const Clock& clock,
          const LoopSearchOptions& options)
      : bench_(bench),
        evaluator_(evaluator),
        actions_(actions),
        clock_(clock),
        options_(options),
        end_s_(clock.seconds() + options.budget_s) {}

  Result<LoopRaces> run() {
    const double looked_s = clock_.seconds() + kLookShare * options_.budget_s;
    ORDO_TRY_ASSIGN(std::vector<LoopDecision> probes, findMovable(looked_s));
    if (probes.size() > kMostDecided) {
      ORDO_TRY(hottestFirst(probes, looked_s));
      probes.resize(std::min(probes.size(), kMostDecided));
    }
    for (std::size_t i = 0; i < probes.size() && left() > 0 && !stopAsked(); ++i)
      ORDO_TRY(decide(probes[i].loop, clock_.seconds() + left() / static_cast<double>(probes.size() - i)));
    return races_;
  }

 private:
  bool stopAsked() const { return options_.stop != nullptr && *options_.stop; }
  double left() const { return end_s_ - clock_.seconds(); }
  void say(std::string_view step) const {
    if (options_.on_step) options_.on_step(step);
  }

  // What comes of `decided_` with each of `more`; what there was no time for, until `until_s`, is skipped.
  Result<std::vector<Evaluation>> evaluate(const std::vector<LoopDecision>& more, double until_s) {
    evaluator_.limit({.seconds = evaluator_.statistics().seconds + until_s - clock_.seconds()});
    std::vector<search::Sequence> batch;
    for (const LoopDecision& decision : more) batch.push_back(with(decision));
    std::vector<Evaluation> results = evaluator_.evaluate(std::move(batch), Effort::kFull);
    ORDO_TRY(evaluator_.status());
    return results;
  }

  search::Sequence with(const LoopDecision& decision) const {
    std::vector<LoopDecision> decisions = decided_;
    decisions.push_back(decision);
    return actions_.with(decisions);
  }

  // A decision for each loop that has one that changes its code.
  Result<std::vector<LoopDecision>> findMovable(double until_s) {
    std::vector<LoopDecision> movable;
    say(fmt::format("looking at {} loops", actions_.loops().size()));
    evaluator_.limit({.seconds = evaluator_.statistics().seconds + options_.budget_s});
    const Evaluation base = evaluator_.evaluateOne(actions_.with({}), Effort::kFull);
    ORDO_TRY(evaluator_.status());
    if (!base.measured()) return movable;
    for (const std::size_t loop : actions_.loops()) {
      if (movable.size() == kMostProbed || evaluator_.done() || stopAsked()) break;
      // Not vectorised, which shows where the compiler would; vectorised, where it would not; and unrolled,
      // where that cannot be.
      const std::vector<LoopDecision> ways{actions_.decision(loop, 1, 1), actions_.decision(loop, 4, 2),
                                           actions_.unrolled(loop, 4)};
      ORDO_TRY_ASSIGN(const std::vector<Evaluation> results, evaluate(ways, until_s));
      for (std::size_t i = 0; i < ways.size(); ++i) {
        if (!results[i].measured() || results[i].value == base.value) continue;
        movable.push_back(ways[i]);
        break;
      }
    }
    return movable;
  }

  // Runs each beside the baseline. The hotter a loop, the more it matters what is decided.
  Status hottestFirst(std::vector<LoopDecision>& probes, double until_s) {
    std::vector<std::pair<double, LoopDecision>> heat;
    std::vector<LoopDecision> built;
    const std::size_t before = bench_.size();
    for (const LoopDecision& probe : probes) {
      if (stopAsked() || clock_.seconds() > until_s) break;
      say(fmt::format("building with a decision about loop {}", probe.loop));
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
      if (std::isfinite(effect)) heat.emplace_back(effect, built[standing.candidate - before]);
    }
    std::ranges::sort(heat, [](const auto& a, const auto& b) {
      return std::pair(b.first, a.second.loop) < std::pair(a.first, b.second.loop);
    });
    probes.clear();
    for (const auto& [effect, probe] : heat) probes.push_back(probe);
    leave(before);
    return {};
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
    ORDO_TRY_ASSIGN(std::vector<timing::Standing> standings, timing::race(bench_, clock_, race));
    races_.refused += static_cast<std::size_t>(
        std::ranges::count_if(standings, [](const timing::Standing& standing) { return !standing.sound(); }));
    return standings;
  }

  // What is on the bench stays there: it stands for what is decided.
  Status decide(std::size_t loop, double until_s) {
    const double built_s = clock_.seconds() + kBuildShare * (until_s - clock_.seconds());
    std::vector<LoopDecision> ways = actions_.decisions(loop);
    Rng(options_.seed).shuffle(std::span(ways));  // in any order: there may be no time for all
    ORDO_TRY_ASSIGN(const std::vector<Evaluation> results, evaluate(ways, built_s));
    const std::size_t before = bench_.size();
    std::vector<LoopDecision> built;
    for (std::size_t i = 0; i < ways.size() && !stopAsked() && clock_.seconds() < built_s; ++i) {
      if (!results[i].measured()) continue;
      say(fmt::format("building loop {} another way ({})", loop, built.size() + 1));
      ORDO_TRY_ASSIGN(const Added added, bench_.add(with(ways[i])));
      const bool is_new = added.code == Added::Code::kNew;
      if (is_new) built.push_back(ways[i]);
      races_.candidates += is_new;
    }
    if (built.empty() || stopAsked()) return {};
    say(fmt::format("a race of {} ways to compile loop {}", built.size(), loop));
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
  const LoopActions& actions_;
  const Clock& clock_;
  const LoopSearchOptions& options_;
  const double end_s_;
  std::vector<LoopDecision> decided_;
  LoopRaces races_;
};

}  // namespace

Result<LoopRaces> searchLoops(BuiltField& bench, search::Evaluator& evaluator, const LoopActions& actions,
                              const Clock& clock, const LoopSearchOptions& options) {
  return Descent(bench, evaluator, actions, clock, options).run();
}

}  // namespace ordo::app
