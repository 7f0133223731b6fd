#include "timing/selection.h"

#include <algorithm>

namespace ordo::timing {
namespace {

constexpr double kRaceShare = 0.25, kTrialShare = 0.37;  // of the budget
// What is left of it is too little for another finalist below this.
constexpr double kLeastShare = 0.1;
constexpr unsigned kRepeats = 1;  // of a void trial

class Selector {
 public:
  Selector(Field& field, const Clock& clock, const SelectionOptions& options)
      : field_(field), clock_(clock), options_(options), end_s_(clock.seconds() + options.budget_s) {}

  Result<Selection> run() {
    ORDO_TRY(raceAll());
    for (Standing& finalist :
         std::span(result_.standings).first(std::min(options_.finalists, result_.standings.size()))) {
      if (!finalist.sound() || stopAsked()) break;
      // The first has its trial whatever the race said, so that something can be said.
      if (result_.trials > 0 && (finalist.score() <= 0 || left() < kLeastShare * options_.budget_s)) break;
      say("proving a finalist");
      ORDO_TRY_ASSIGN(finalist.failure, field_.problemOf(finalist.candidate));
      if (!finalist.sound()) {
        if (!result_.candidate) result_.why = fmt::format("the best was refused: {}", finalist.failure);
        continue;
      }
      ORDO_TRY(tryCandidate(finalist.candidate));
      if (result_.verdict == Verdict::kFaster) break;
    }
    return std::move(result_);
  }

 private:
  bool stopAsked() const { return options_.trial.stop != nullptr && *options_.trial.stop; }
  double left() const { return end_s_ - clock_.seconds(); }
  void say(std::string_view step) const {
    if (options_.on_step) options_.on_step(step);
  }

  Status raceAll() {
    RaceOptions race_options;
    race_options.quantity = options_.trial.quantity;
    race_options.budget_s = kRaceShare * options_.budget_s;
    race_options.finalists = options_.finalists;
    race_options.seed = options_.trial.seed;
    race_options.stop = options_.trial.stop;
    race_options.on_round = [&](std::size_t left) { say(fmt::format("a race of {} candidates", left)); };
    ORDO_TRY_ASSIGN(result_.standings, race(field_, clock_, race_options));
    const bool any = std::ranges::any_of(result_.standings, &Standing::sound);
    result_.why = stopAsked() ? "it was interrupted before anything was known"
                  : any       ? ""
                              : "no candidate does what the baseline does";
    return {};
  }

  Result<Comparison> trial(Runner& runner, double budget_s, unsigned repeats) {
    TrialOptions trial = options_.trial;
    trial.budget_s = std::min(kTrialShare * options_.budget_s, budget_s);
    trial.share = kTrialShare * options_.trial.share;
    trial.seed += 1000 * ++result_.trials;
    trial.on_block = [&](unsigned done, unsigned planned) {
      say(fmt::format("trial {}: block {} of at most {}", result_.trials, done, planned));
    };
    return compare(runner, clock_, trial, repeats);
  }

  // One trial, and a second for who wins it.
  Status tryCandidate(std::size_t candidate) {
    ORDO_TRY(field_.enter(candidate));
    const double first_s = left() / 2;
    ORDO_TRY_ASSIGN(Comparison first, trial(field_.runner(), first_s, kRepeats));
    const bool won = first.verdict() == Verdict::kFaster && !stopAsked();
    if (won || !result_.candidate) {
      result_.candidate = candidate;
      result_.verdict = first.verdict() == Verdict::kFaster ? Verdict::kVoid : first.verdict();
      result_.why =
          first.verdict() == Verdict::kFaster ? "interrupted before its second trial" : first.trial.why;
      result_.last = std::move(first);
    }
    if (!won) return {};
    say("building it anew");
    const Result<Runner*> rebuilt = field_.rebuild(candidate);
    if (!rebuilt && stopAsked()) return {};
    ORDO_TRY(rebuilt);
    // As much as the first had: what its repeats or building took is not the candidate's fault.
    const double second_s = std::max({left(), first_s, kLeastShare * options_.budget_s});
    ORDO_TRY_ASSIGN(Comparison second, trial(**rebuilt, second_s, kRepeats));
    result_.verdict = second.verdict();
    result_.why = second.verdict() == Verdict::kFaster
                      ? fmt::format("{}, in two trials, the second on fresh builds", second.trial.why)
                      : fmt::format("faster in a first trial, but not on fresh builds: {}", second.trial.why);
    result_.last = std::move(second);
    return {};
  }

  Field& field_;
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

Result<Selection> select(Field& field, const Clock& clock, const SelectionOptions& options) {
  return Selector(field, clock, options).run();
}

}  // namespace ordo::timing
