// One tune::Job, which makes the program ready and proves the result, and one evaluator for all that is
// measured: so a search knows what was measured before it, and the other way round. Each call lifts the
// evaluator's limit as far as it may go and counts what was answered.
#include "agent/opened_program.h"

#include <algorithm>
#include <cmath>

#include "engine/limits.h"
#include "engine/objective.h"
#include "env/metric.h"
#include "support/text.h"

namespace ordo::agent {
namespace {

// Compiles that a search takes at least: three to begin with, what it tries, and a winner to confirm.
constexpr double kLeastSearch = 7;

}  // namespace

double OpenedProgram::gain(double value) const {
  return baseline_value_ == 0 ? 0 : (baseline_value_ - value) / baseline_value_;
}

Result<std::unique_ptr<OpenedProgram>> OpenedProgram::open(engine::Engine& engine, engine::Input input,
                                                           spaces::Space space, OpenOptions options) {
  std::unique_ptr<OpenedProgram> opened(
      new OpenedProgram(engine, std::move(input), std::move(space), std::move(options)));
  ORDO_TRY(opened->start());
  return opened;
}

Status OpenedProgram::start() {
  if (env::isExperiment(options_.objective)) {
    return fail(ErrorCode::kInvalidArgument,
                "no tool measures the objective {} at once: open the program for another, and time what "
                "comes of it with time_sequence",
                options_.objective);
  }
  ORDO_TRY(engine::checkObjective(engine_.info(), options_.objective));
  ORDO_TRY(engine::checkLimits(engine_.info(), options_.objective, options_.limits));
  tune_options_.objective = options_.objective;
  tune_options_.seed = options_.seed;
  tune_options_.limits = options_.limits;
  tune_options_.learned = options_.learned;
  tune_options_.budget = {};  // it is counted here
  tune_options_.stop = stop();
  ORDO_TRY_ASSIGN(tune::Job job, tune::Job::start(engine_, input_, space_, tune_options_));
  job_.emplace(std::move(job));
  for (const env::Action& action : options_.more) {
    std::vector<env::Action>& known = job_->spec().actions;
    if (std::ranges::find(known, action.name, &env::Action::name) == known.end()) known.push_back(action);
  }
  ORDO_TRY_ASSIGN(const std::vector<search::Evaluation> first, openEvaluator());
  if (!first[0].measured())
    return fail(ErrorCode::kUnsupported, "the baseline itself fails on this program: {}",
                failureOf(first[0]));
  best_ = first[0];
  baseline_value_ = first[0].value;
  start_value_ = first[1].value;
  for (const search::Evaluation& evaluation : first) remember(evaluation);
  opened_ = static_cast<double>(evaluator_->statistics().evaluations);
  return {};
}

Result<std::vector<search::Evaluation>> OpenedProgram::openEvaluator() {
  evaluator_ = options_.judge.evaluator;
  if (evaluator_ != nullptr) {
    const env::SessionSpec& judged = evaluator_->spec();
    if (judged.program != program() ||
        !std::ranges::equal(judged.actions, actions(), {}, &env::Action::name, &env::Action::name))
      return fail(ErrorCode::kInternal, "{} or its actions are others than those that are judged",
                  judged.name);
    return options_.judge.seeds;
  }
  search::Objective objective = engine::objectiveFor(options_.objective);
  if (!engine::measures(engine_.info(), objective.screen)) objective.screen.clear();
  objective.limits = job_->limits();
  search::EvaluatorOptions evaluator_options;
  evaluator_options.stop = stop();
  ORDO_TRY_ASSIGN(own_, search::Evaluator::open(engine_.backend(), job_->spec(), std::move(objective),
                                                evaluator_options));
  evaluator_ = own_.get();
  std::vector<search::Evaluation> first = evaluator_->evaluate({{baseline()}, {}}, search::Effort::kFresh);
  ORDO_TRY(evaluator_->status());
  return first;
}

Result<search::Sequence> OpenedProgram::read(const std::vector<std::string>& names) const {
  if (names.size() > kMaxLength)
    return fail(ErrorCode::kInvalidArgument, "a sequence has at most {} actions, and not {}", kMaxLength,
                names.size());
  search::Sequence sequence;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(actions(), name, &env::Action::name);
    if (found == actions().end()) {
      std::vector<std::string> all;
      for (const env::Action& action : actions()) all.push_back(action.name);
      const std::string near = nearest(name, all);
      return fail(ErrorCode::kInvalidArgument, "unknown action '{}'{}; list_actions says which there are",
                  name.substr(0, 60), near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    }
    sequence.push_back(static_cast<env::ActionIndex>(found - actions().begin()));
  }
  return sequence;
}

std::vector<std::string> OpenedProgram::names(const search::Sequence& sequence) const {
  std::vector<std::string> names;
  for (const env::ActionIndex action : sequence) names.push_back(actions()[action].name);
  return names;
}

std::vector<env::Action> OpenedProgram::actionsOf(const search::Sequence& sequence) const {
  std::vector<env::Action> list;
  for (const env::ActionIndex action : sequence) list.push_back(actions()[action]);
  return list;
}

Costs OpenedProgram::spent() const {
  return {static_cast<double>(evaluator_->statistics().evaluations) - opened_, spent_.seconds};
}

Costs OpenedProgram::left() const {
  const Costs used = spent();
  return {std::max(options_.budget.compiles - used.compiles, 0.0),
          std::max(options_.budget.seconds - used.seconds, 0.0)};
}

Status OpenedProgram::allow(double compiles) {
  if (submitted_) return fail(ErrorCode::kInvalidArgument, "the program was submitted: open it again");
  const Costs rest = left();
  if (rest.compiles < 1)
    return fail(ErrorCode::kDeadlineExceeded, "all {:.0f} compiles are used: submit_sequence",
                options_.budget.compiles);
  if (rest.seconds <= 0)
    return fail(ErrorCode::kDeadlineExceeded, "all {:.3g} s are used: submit_sequence",
                options_.budget.seconds);
  const search::Statistics so_far = evaluator_->statistics();
  evaluator_->limit(
      {.seconds = so_far.seconds + rest.seconds,
       .evaluations = static_cast<double>(so_far.evaluations) + std::min(compiles, rest.compiles)});
  return {};
}

void OpenedProgram::remember(const search::Evaluation& evaluation) {
  known_[evaluation.actions] = evaluation;
  if (search::better(evaluation, best_)) best_ = evaluation;
}

Result<search::Evaluation> OpenedProgram::measure(const search::Sequence& sequence) {
  auto found = known_.find(sequence);
  if (found == known_.end()) {
    ORDO_TRY(allow(1));
    const search::Evaluation evaluation = evaluator_->evaluateOne(sequence, search::Effort::kFull);
    ORDO_TRY(evaluator_->status());
    if (evaluation.verdict == search::Verdict::kSkipped)
      return fail(ErrorCode::kDeadlineExceeded, "it was stopped before the sequence was measured");
    remember(evaluation);
    found = known_.find(sequence);
  }
  if (!found->second.measured()) return fail(ErrorCode::kUnsupported, "{}", failureOf(found->second));
  return found->second;
}

Result<std::vector<search::Contribution>> OpenedProgram::explain(const search::Evaluation& evaluation) {
  if (evaluation.actions.empty()) return std::vector<search::Contribution>();
  ORDO_TRY(allow(static_cast<double>(evaluation.actions.size())));
  std::vector<search::Contribution> parts = search::explain(*evaluator_, evaluation);
  ORDO_TRY(evaluator_->status());
  return parts;
}

Result<OpenedProgram::Searched> OpenedProgram::search(const search::SearcherInfo& searcher,
                                                      const search::Sequence& from, double compiles,
                                                      std::uint64_t seed, const OnAnswer& on_answer) {
  ORDO_TRY(allow(compiles));
  // What is asked for may be less than that; what is left may not, for no budget is overspent.
  if (left().compiles < kLeastSearch)
    return fail(ErrorCode::kDeadlineExceeded, "{:.0f} compiles are left, and a search needs {:.0f}",
                left().compiles, kLeastSearch);
  if (!knowledge_) {
    ORDO_TRY_ASSIGN(knowledge_, engine::loadKnowledge(options_.learned, engine_.backend(), job_->spec()));
  }
  const search::Statistics so_far = evaluator_->statistics();
  const Costs rest = left();
  search::SearchOptions options;
  options.searcher = &searcher;
  options.budget = {
      .seconds = so_far.seconds + rest.seconds,
      .evaluations = static_cast<double>(so_far.evaluations) + std::min(compiles, rest.compiles)};
  options.seeds = {{baseline()}, {}};
  if (std::ranges::find(options.seeds, from) == options.seeds.end()) options.seeds.push_back(from);
  options.max_length = kMaxLength;
  options.seed = seed;
  options.knowledge = *knowledge_;
  options.explain = false;
  double answers = 0;
  search::Evaluator::OnAnswer before = evaluator_->listen({});
  evaluator_->listen([&](const search::Evaluation& evaluation) {
    if (before) before(evaluation);
    if (on_answer) on_answer(++answers, evaluation);
  });
  Result<search::SearchResult> found = search::search(*evaluator_, options);
  evaluator_->listen(std::move(before));
  ORDO_TRY_ASSIGN(search::SearchResult result, std::move(found));
  remember(result.best);
  return Searched{std::move(result.best), std::move(result.others)};
}

Result<std::unique_ptr<env::Session>> OpenedProgram::walk(std::span<const env::ActionIndex> sequence) {
  Result<std::unique_ptr<env::Session>> session =
      engine::walk(engine_, input_, program(), actionsOf({sequence.begin(), sequence.end()}));
  // It says kInternal where an action fails, for whoever knows that it should not.
  if (!session && session.error().code == ErrorCode::kInternal)
    return fail(ErrorCode::kUnsupported, "the sequence fails: {}", session.error().message);
  return session;
}

Result<engine::State> OpenedProgram::reach(const search::Sequence& sequence) {
  Result<engine::State> state = engine::reach(engine_, input_, program(), actionsOf(sequence));
  if (!state && state.error().code == ErrorCode::kInternal)
    return fail(ErrorCode::kUnsupported, "the sequence fails: {}", state.error().message);
  return state;
}

Result<tune::Critic*> OpenedProgram::critic() {
  if (!critic_) {
    if (options_.learned.policy.empty())
      return fail(ErrorCode::kUnsupported,
                  "there is no policy: none is shipped for this objective, or it was switched off");
    ORDO_TRY_ASSIGN(
        tune::Critic critic,
        tune::Critic::create(options_.learned.policy, engine_.info(), space_.actions, actions(),
                             {options_.objective, baselineName(), start_value_, baseline_value_}));
    critic_.emplace(std::move(critic));
  }
  return &*critic_;
}

Result<tune::Tuned> OpenedProgram::submit(const search::Sequence& sequence) {
  if (submitted_) return fail(ErrorCode::kInvalidArgument, "the program was submitted: open it again");
  ORDO_TRY_ASSIGN(const search::Evaluation evaluation, measure(sequence));
  tune::Tuned tuned;
  if (options_.judge.evaluator == nullptr) {
    ORDO_TRY_ASSIGN(tuned, prove(evaluation));
  } else {
    const bool better = evaluation.value < baseline_value_;
    tuned.recipe.actions = actionsOf(better ? sequence : search::Sequence{baseline()});
    tuned.recipe.figures = {
        {options_.objective, baseline_value_, 0, better ? evaluation.value : baseline_value_}};
  }
  submitted_ = evaluation;
  tuned.recipe.searcher = "agent";
  tuned.recipe.evaluations = static_cast<std::int64_t>(spent().compiles);
  tuned.recipe.seconds = spent_.seconds;
  return tuned;
}

// Through the gate.
Result<tune::Tuned> OpenedProgram::prove(const search::Evaluation& evaluation) {
  tune::Found found;
  if (evaluation.value < baseline_value_) found.candidates.push_back(evaluation.actions);
  found.candidates.push_back({baseline()});
  found.statistics = evaluator_->statistics();
  found.holds = [&, most = baseline_value_](const engine::State& state) -> Result<bool> {
    ORDO_TRY_ASSIGN(const double value, engine::measured(state, options_.objective));
    return value <= most;
  };
  return job_->conclude(std::move(found));
}

std::string failureOf(const search::Evaluation& evaluation) {
  if (evaluation.verdict == search::Verdict::kBeyond)
    return fmt::format("it is beyond a limit: {}", evaluation.detail);
  return fmt::format("the sequence fails: {}{}", env::name(evaluation.status),
                     evaluation.detail.empty() ? "" : fmt::format(" ({})", evaluation.detail));
}

}  // namespace ordo::agent
