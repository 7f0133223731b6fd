// The first stages of findFaster(): what is decided by the clock before anything is drafted. A run says which
// way branches go (profile.h), and calls, straight code and loops are
// decided beside that (decision_search.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "runtime/built_field.h"
#include "runtime/decision_search.h"
#include "runtime/options.h"
#include "search/evaluation/evaluator.h"
#include "support/clock.h"
#include "support/error.h"

namespace ordo::runtime {

// Opens an evaluator that counts instructions of `spec`'s programs within `limits`.
Result<std::unique_ptr<search::Evaluator>> openCounter(engine::Engine& engine, const env::SessionSpec& spec,
                                                       std::vector<search::Limit> limits,
                                                       const FasterOptions& options);

// What it is made of must outlive it.
class Opening {
 public:
  // REQUIRES: an empty `bench`, prepared with the same.
  Opening(engine::Engine& engine, const engine::Input& input, env::SessionSpec& spec,
          env::ActionIndex baseline, const std::vector<search::Limit>& limits, const FasterOptions& options,
          BuiltField& bench, const Clock& clock)
      : engine_(engine),
        input_(input),
        spec_(spec),
        baseline_(baseline),
        limits_(limits),
        options_(options),
        bench_(bench),
        clock_(clock) {}

  // Each adds actions to the spec and leaves on the bench, first, the best that it knows, if that is not the
  // baseline. They are called in this order, if at all; `budget_s` is exceeded by a build and a few runs.
  Status decideProfile(double budget_s);
  Status decideCalls(double budget_s);
  Status decideStraight(double budget_s);
  Status decideLoops(double budget_s);

  // What goes before the baseline, or its halves, in the best that is known.
  const search::Sequence& prefix() const { return prefix_; }
  // What was run for it.
  const DecisionRaces& races() const { return races_; }
  const search::Statistics& statistics() const { return statistics_; }
  // What the user should know.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  bool stopAsked() const { return options_.stop != nullptr && *options_.stop; }
  void say(std::string_view phase) const {
    if (options_.on_phase) options_.on_phase(phase);
  }
  Status decide(const Decisions& decisions, double budget_s);
  void keepPrefix();

  engine::Engine& engine_;
  const engine::Input& input_;
  env::SessionSpec& spec_;
  const env::ActionIndex baseline_;
  const std::vector<search::Limit>& limits_;
  const FasterOptions& options_;
  BuiltField& bench_;
  const Clock& clock_;
  search::Sequence prefix_;
  std::optional<env::ActionIndex> second_half_;  // if it is not that of the baseline
  DecisionRaces races_;
  search::Statistics statistics_;
  std::vector<std::string> notes_;
};

}  // namespace ordo::runtime
