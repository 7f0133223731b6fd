// What all kinds of tuning share: a program made ready for a search, and a result made of what was found.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "engine/reach.h"
#include "env/session.h"
#include "recipe/recipe.h"
#include "search/driver/driver.h"
#include "spaces/space.h"
#include "support/error.h"
#include "tune/tune.h"

namespace ordo::tune {

// What a search for an objective came to.
struct Found {
  std::vector<search::Sequence> candidates;         // for the result, best first
  std::vector<search::Contribution> contributions;  // to the first
  search::Statistics statistics;
  // Whether what comes of a candidate is what was measured: few passes depend on addresses.
  std::function<Result<bool>(const engine::State& replayed)> holds = {};
  std::vector<recipe::Figure> figures = {};  // that nobody but the search can measure
  std::optional<recipe::Timing> timing = {};
  std::optional<runtime::Rewards> rewards = {};
  std::vector<runtime::Raced> raced = {};
  std::vector<std::string> notes = {};
  std::vector<std::string> metrics = {};  // that should have figures, besides those that always have
  // What the first candidate's choices (env/choices.h) save of functions, by name, most first.
  std::vector<std::pair<std::string, double>> by_function = {};
};

// One thread at a time; what it is started with must outlive it.
class Job {
 public:
  // Applies the baseline, and works out what the limits come to for it. kUnsupported if that fails, and as
  // limitsFor().
  static Result<Job> start(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                           const TuneOptions& options);

  const env::SessionSpec& spec() const { return spec_; }
  // A search may have more actions than its space, if they come after.
  env::SessionSpec& spec() { return spec_; }
  env::ActionIndex baseline() const { return baseline_; }
  const engine::State& atBaseline() const { return *at_baseline_; }
  const std::vector<search::Limit>& limits() const { return limits_; }

  // Seconds of the budget that are left for a search, with what it will take to prove a result put by; less
  // than nothing if there are none, and infinite without a limit.
  double secondsToSearch() const;
  // The same without anything put by.
  double secondsLeft() const;
  // How long the baseline took to make and to measure: a search tries several such programs, if it can.
  double baselineSeconds() const { return baseline_s_; }

  // What is tried first for the objective (search::firstAnswer()), in a search and without one; empty if
  // nothing is known.
  Result<search::Sequence> firstAnswer() const;
  // The same where there is no time for a search: nothing unless it is better than the baseline and within
  // the limits. Takes about as long as the baseline.
  Result<std::optional<search::Sequence>> tryFirstAnswer() const;

  // Searches with the untouched program and the baseline as the first candidates. The budget, and what is to
  // be done with the winner, with proposals and seed, are those of `options`, but for secondsToSearch(); all
  // else is the job's. `on_answer` as of search::Evaluator::listen(); may be empty.
  Result<search::SearchResult> search(search::Objective objective, search::SearchOptions options,
                                      std::function<void(const search::Evaluation&)> on_answer = {});

  // What searches took so far, and what else was counted.
  const search::Statistics& searched() const { return searched_; }
  void count(const search::Statistics& more) { searched_ += more; }
  // Tells options.on_improvement of what was measured behind what was searched so far, if it is better than
  // all of the same metric that it was told of. Each search() tells of its own.
  void tell(search::Evaluation best);

  // The best candidate that replays, is within the limits and passes the gate (gate.h), or else the baseline,
  // with its recipe.
  Result<Tuned> conclude(Found found) const;

 private:
  Job(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
      const TuneOptions& options)
      : engine_(engine), input_(input), space_(space), options_(options) {}

  Status prepare();
  bool inAHurry() const;
  std::vector<search::Sequence> baselineBehindOptions() const;
  void say(std::string_view phase) const;
  Result<std::shared_ptr<const engine::State>> choose(const Found& found, Tuned& tuned) const;
  Result<std::string> problemOf(const Found& found, const engine::State& state) const;
  Status compareSymbols(Tuned& tuned) const;
  Status describe(const Found& found, const engine::State& best, Tuned& tuned) const;

  engine::Engine& engine_;
  const engine::Input& input_;
  const spaces::Space& space_;
  const TuneOptions& options_;
  std::vector<env::Action> prepare_;  // that make a bare program
  Hash128 program_hash_;              // of the program as given
  env::SessionSpec spec_;
  env::ActionIndex baseline_ = 0;
  std::shared_ptr<const engine::State> at_baseline_;
  double start_s_ = options_.clock->seconds();
  double baseline_s_ = 0;
  search::Statistics searched_;
  double baseline_value_ = 0;  // of the objective, once it was searched
  std::string told_of_;        // the metric
  double told_ = std::numeric_limits<double>::infinity();
  std::vector<search::Limit> limits_;
};

}  // namespace ordo::tune
