#include "timing/selection.h"

#include <algorithm>
#include <span>

#include "timing/trial.h"

namespace ordo::timing {
namespace {

using env::Verdict;

constexpr double kRaceShare = 0.25, kTrialShare = 0.37;  // of the budget
// What is left of it is too little for another finalist below this.
constexpr double kLeastShare = 0.1;

class Selector {
 public:
  Selector(env::Experiment& experiment, const Clock& clock, const SelectionOptions& options)
      : experiment_(experiment),
        clock_(clock),
        options_(options),
        end_s_(clock.seconds() + options.budget_s) {}

  Result<Selection> run() {
    ORDO_TRY(raceAll());
    for (Standing& finalist :
         std::span(result_.standings).first(std::min(options_.finalists, result_.standings.size()))) {
      if (!finalist.sound() || stopAsked()) break;
      // The first has its trial whatever the race said, so that something can be said.
      if (result_.trials > 0 && (finalist.score() <= 0 || left() < kLeastShare * options_.budget_s)) break;
      say("proving a finalist");
      ORDO_TRY_ASSIGN(finalist.failure, experiment_.problemOf(finalist.candidate));
      if (!finalist.sound()) {
        if (!result_.candidate) result_.why = fmt::format("the best was refused: {}", finalist.failure);
        continue;
      }
      ORDO_TRY(tryCandidate(finalist.candidate));
      if (result_.verdict == Verdict::kBetter) break;
    }
    return std::move(result_);
  }

 private:
  bool stopAsked() const { return options_.stop != nullptr && *options_.stop; }
  double left() const { return end_s_ - clock_.seconds(); }
  void say(std::string_view step) const {
    if (options_.on_step) options_.on_step(step);
  }

  Status raceAll() {
    RaceOptions race_options;
    race_options.budget_s = kRaceShare * options_.budget_s;
    race_options.finalists = options_.finalists;
    race_options.seed = options_.seed;
    race_options.stop = options_.stop;
    race_options.on_round = [&](std::size_t left) { say(fmt::format("a race of {} candidates", left)); };
    ORDO_TRY_ASSIGN(result_.standings, race(experiment_, clock_, race_options));
    const bool any = std::ranges::any_of(result_.standings, &Standing::sound);
    result_.why = stopAsked() ? "it was interrupted before anything was known"
                  : any       ? ""
                              : "no candidate does what the baseline does";
    return {};
  }

  env::Allowance allowance(double budget_s) {
    env::Allowance allowance;
    allowance.budget_s = std::min(kTrialShare * options_.budget_s, budget_s);
    allowance.share = kTrialShare * options_.share;
    allowance.seed = options_.seed + 1000 * ++result_.trials;
    allowance.on_progress = [&](unsigned done, unsigned planned) {
      say(fmt::format("trial {}: block {} of at most {}", result_.trials, done, planned));
    };
    return allowance;
  }

  // One trial, and a second for who wins it.
  Status tryCandidate(std::size_t candidate) {
    const double first_s = left() / 2;
    ORDO_TRY_ASSIGN(env::Claim first, experiment_.ask(candidate, allowance(first_s)));
    const bool won = first.verdict == Verdict::kBetter && !stopAsked();
    if (won || !result_.candidate) {
      result_.candidate = candidate;
      result_.verdict = first.verdict == Verdict::kBetter ? Verdict::kVoid : first.verdict;
      result_.why = first.verdict == Verdict::kBetter ? "interrupted before its second trial" : first.why;
      result_.last = std::move(first);
    }
    if (!won) return {};
    say("building it anew");
    const Status renewed = experiment_.renew(candidate);
    if (!renewed && stopAsked()) return {};
    ORDO_TRY(renewed);
    // As much as the first had: what its repeats or building took is not the candidate's fault.
    const double second_s = std::max({left(), first_s, kLeastShare * options_.budget_s});
    ORDO_TRY_ASSIGN(env::Claim second, experiment_.ask(candidate, allowance(second_s)));
    result_.verdict = second.verdict;
    result_.why = second.verdict == Verdict::kBetter
                      ? fmt::format("{}, in two trials, the second on fresh builds", second.why)
                      : fmt::format("faster in a first trial, but not on fresh builds: {}", second.why);
    result_.last = std::move(second);
    return {};
  }

  env::Experiment& experiment_;
  const Clock& clock_;
  const SelectionOptions& options_;
  const double end_s_;
  Selection result_;
};

}  // namespace

double leastSelectionSeconds(double run_s) {
  // The block that warms up has the runs of a trial, the others one each.
  const unsigned runs = 2 * kArms * (kFewestBlocks + 1 + TrialOptions{}.runs);
  return runs * run_s / kTrialShare;
}

Result<Selection> select(env::Experiment& experiment, const Clock& clock, const SelectionOptions& options) {
  return Selector(experiment, clock, options).run();
}

}  // namespace ordo::timing
