#include "runtime/opening.h"

#include <algorithm>
#include <optional>

#include "engine/objective.h"
#include "env/metric.h"
#include "runtime/calls.h"
#include "runtime/loops.h"
#include "runtime/profile.h"
#include "runtime/straight.h"
#include "support/rng.h"
#include "timing/field_experiment.h"
#include "timing/race.h"

namespace ordo::runtime {
namespace {

constexpr std::size_t kFewestProfilePairs = 3;
// These few pairs are noisy, and a profile seldom does harm: it stays unless it looks worse by more than
// this.
constexpr double kProfileDoubt = 0.05;

}  // namespace

Result<std::unique_ptr<search::Evaluator>> openCounter(engine::Engine& engine, const env::SessionSpec& spec,
                                                       std::vector<search::Limit> limits,
                                                       const FasterOptions& options) {
  search::EvaluatorOptions evaluator_options;
  evaluator_options.jobs = options.jobs;
  evaluator_options.stop = options.stop;
  search::Objective objective = engine::objectiveFor(env::kIrInstructions);
  objective.limits = std::move(limits);
  return search::Evaluator::open(engine.backend(), spec, std::move(objective), evaluator_options);
}

Status Opening::decideProfile(double budget_s) {
  const double end_s = clock_.seconds() + budget_s;
  say("counting which way branches go");
  const Result<env::Action> action = profileAction(engine_, input_, spec_.program, bench_);
  if (!action && action.error().code != ErrorCode::kUnsupported) return fail(action.error());
  if (stopAsked()) return {};
  if (!action) {
    notes_.push_back(fmt::format("tuned without a profile: {}", action.error().message));
    return {};
  }
  const auto profile = static_cast<env::ActionIndex>(spec_.actions.size());
  spec_.actions.push_back(*action);
  say("building with a profile");
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  openCounter(engine_, spec_, limits_, options_));
  const bool sound = evaluator->evaluateOne({profile, baseline_}, search::Effort::kFull).measured();
  statistics_ += evaluator->statistics();
  ORDO_TRY(evaluator->status());
  if (!sound) return {};
  ORDO_TRY_ASSIGN(const Added added, bench_.add({profile, baseline_}));
  if (added.code != Added::Code::kNew) return {};
  timing::FieldExperiment experiment(bench_, clock_, {.stop = options_.stop});
  timing::Standing standing;
  Rng rng(options_.seed);
  say("is it faster with a profile?");
  while (!stopAsked() && standing.sound() &&
         (standing.pairs.size() < kFewestProfilePairs || clock_.seconds() < end_s))
    ORDO_TRY(timing::runPair(experiment, rng, standing));
  ++races_.candidates;
  races_.refused += standing.sound() ? 0 : 1;
  if (!standing.sound() || standing.score() < -kProfileDoubt) bench_.keep({});
  keepPrefix();
  return {};
}

Status Opening::decideCalls(double budget_s) {
  if (budget_s <= 0) return {};
  ORDO_TRY_ASSIGN(const std::optional<CallActions> calls,
                  CallActions::add(engine_, input_, spec_, baseline_, prefix_));
  if (calls) ORDO_TRY(decide(*calls, budget_s));
  keepPrefix();
  return {};
}

Status Opening::decideStraight(double budget_s) {
  if (budget_s <= 0) return {};
  const std::optional<StraightActions> straight = StraightActions::add(spec_, baseline_, prefix_);
  if (straight) ORDO_TRY(decide(*straight, budget_s));
  if (straight && bench_.size() > 0) second_half_ = straight->decided(bench_.sequence(0));
  return {};
}

Status Opening::decideLoops(double budget_s) {
  if (budget_s <= 0) return {};
  ORDO_TRY_ASSIGN(const std::optional<LoopActions> loops,
                  LoopActions::add(engine_, input_, spec_, baseline_, prefix_, second_half_));
  return loops ? decide(*loops, budget_s) : Status();
}

Status Opening::decide(const Decisions& decisions, double budget_s) {
  DecisionSearchOptions search_options;
  search_options.budget_s = budget_s;
  search_options.seed = options_.seed;
  search_options.stop = options_.stop;
  search_options.on_step = [&](std::string_view step) { say(step); };
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  openCounter(engine_, spec_, limits_, options_));
  const Result<DecisionRaces> races = searchDecisions(bench_, *evaluator, decisions, clock_, search_options);
  statistics_ += evaluator->statistics();
  if (!races) return fail(races.error());
  races_.candidates += races->candidates;
  races_.refused += races->refused;
  return {};
}

// Before loops, the best is a prefix and the baseline.
void Opening::keepPrefix() {
  prefix_ = bench_.size() > 0 ? bench_.sequence(0) : search::Sequence{baseline_};
  prefix_.pop_back();
}

}  // namespace ordo::runtime
