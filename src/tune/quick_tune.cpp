#include "tune/quick_tune.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/limits.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "engine/replay.h"
#include "env/metric.h"
#include "search/catalog/catalog.h"
#include "search/catalog/guided.h"
#include "search/driver/driver.h"
#include "support/clock.h"
#include "support/files.h"
#include "tune/by_function.h"

namespace ordo::tune {
namespace {

// Stands still until it is started: a file gets the first answer however little time there is.
class LateClock final : public Clock {
 public:
  double seconds() const override { return start_ < 0 ? 0 : clock_.seconds() - start_; }
  void start() { start_ = clock_.seconds(); }

 private:
  SteadyClock clock_;
  double start_ = -1;
};

// `actions` as a search for `spec` has them; nothing if the space has lost one.
search::Sequence sequenceOf(const std::vector<env::Action>& actions, const env::SessionSpec& spec) {
  search::Sequence sequence;
  for (const env::Action& action : actions) {
    const auto found = std::ranges::find(spec.actions, action.text, &env::Action::text);
    if (found == spec.actions.end()) return {};
    sequence.push_back(static_cast<env::ActionIndex>(found - spec.actions.begin()));
  }
  return sequence;
}

// Those of `texts` that allow less than any.
Result<std::vector<engine::AskedLimit>> parseLimits(const std::vector<std::string>& texts) {
  std::vector<engine::AskedLimit> limits;
  for (const std::string& text : texts) {
    ORDO_TRY_ASSIGN(engine::AskedLimit limit, engine::parseLimit(text));
    if (std::isfinite(limit.amount)) limits.push_back(std::move(limit));
  }
  return limits;
}

// A sequence for each function, behind `actions`, which come to `answer.tuned`; that stays if none is better.
// Choices that stand at the end there are made anew.
Status thenByFunction(engine::Engine& engine, const env::SessionSpec& spec, Beginning best,
                      const search::Knowledge& knowledge, ByFunctionOptions by_function,
                      const engine::Learned& learned, QuickAnswer& answer) {
  ORDO_TRY_ASSIGN(const search::FunctionSequences mined,
                  engine::loadFunctionSequences(learned, engine.info()));
  search::Sequence& actions = best.sequence;
  if (!actions.empty() && spec.actions[actions.back()].kind == env::kChoicesKind) {
    actions.pop_back();
    best.program.clear();
  }
  // There is no time for another beginning.
  std::vector<Track> tracks =
      tracksBehind(best, spec.actions, knowledge.coreset(by_function.objective), mined);
  tracks.resize(1);
  by_function.least = answer.tuned;
  ORDO_TRY_ASSIGN(const ByFunction chosen, chooseByFunction(engine, spec, tracks, by_function));
  answer.functions = chosen.functions;
  answer.remembered = chosen.remembered;
  if (!chosen.found()) return {};
  answer.tuned = chosen.value;
  answer.actions.emplace();
  for (const env::ActionIndex action : actions) answer.actions->push_back(spec.actions[action]);
  answer.actions->push_back(env::choose(chosen.choices));
  return {};
}

}  // namespace

Result<QuickAnswer> quickTune(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                              const QuickOptions& options) {
  ORDO_TRY(engine::checkObjective(engine.info(), options.objective));
  env::SessionSpec spec{input.program.uri, input.compiled.bytes, {}, input.settings()};
  env::ActionIndex baseline = 0;
  spec.actions = engine::candidateActions(input, space, /*allow_unsafe=*/false, baseline);
  // Beyond those of the space, and behind them.
  for (const env::Action& action : options.known)
    if (action.kind == env::kChoicesKind) spec.actions.push_back(action);

  search::SearchOptions search_options;
  // Before the evaluator, which then has the worker that this needs for a moment.
  ORDO_TRY_ASSIGN(search_options.knowledge, engine::loadKnowledge(options.learned, engine.backend(), spec));
  ORDO_TRY_ASSIGN(const std::vector<env::Action> finish, engine::finished(engine, input, spec.program, {}));
  const bool may_choose =
      options.seconds > 0 && options.functions && choosesByFunction(engine.info(), options.objective);
  std::size_t functions = 0;
  if (may_choose) {
    ORDO_TRY_ASSIGN(functions, functionsOf(engine, input, spec));
  }
  search_options.knowledge.openings.clear();  // a build pays for the passes of one answer, not of several
  const auto clock = std::make_shared<LateClock>();
  search::EvaluatorOptions evaluator_options;
  evaluator_options.clock = clock;
  evaluator_options.stop = options.stop;
  ORDO_TRY_ASSIGN(const std::vector<engine::AskedLimit> limits, parseLimits(options.limits));
  search::Objective objective = engine::objectiveFor(options.objective);
  for (const engine::AskedLimit& limit : limits)
    objective.limits.push_back({limit.metric, std::numeric_limits<double>::infinity()});
  ORDO_TRY_ASSIGN(std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(engine.backend(), spec, std::move(objective), evaluator_options));
  QuickAnswer answer;
  // First of all: what limits come to depends on it, and whether there is time for more.
  const SteadyClock wall;
  const double begin_s = wall.seconds();
  search::Evaluation first = evaluator->evaluateOne({baseline}, search::Effort::kFresh);
  ORDO_TRY(evaluator->status());
  const double baseline_s = wall.seconds() - begin_s;
  std::vector<search::Limit> within;
  for (std::size_t i = 0; i < first.amounts.size(); ++i)
    within.push_back({limits[i].metric, limits[i].most(first.amounts[i])});
  if (first.measured()) evaluator->within(within);
  answer.amounts = first.amounts;
  search_options.measured = std::move(first);

  // What ends before one more program is made is no search, and the file gets what it gets without one.
  const bool searching = options.seconds > baseline_s;
  search_options.searcher = search::find(searching ? "policy" : "policy_answer");
  const bool chooses = searching && may_choose;
  if (searching) search_options.budget.seconds = options.seconds;
  // What is remembered gains with the first emission.
  const double answers =
      options.memory != nullptr ? search::Budget::kUnlimited : options.seconds / baseline_s;
  if (chooses) search_options.share = 1 - shareOf(functions, answers);
  // The policy wants to know what the program is worth as it is, and takes the last other seed for the
  // baseline.
  search_options.seeds = {{baseline}, {}};
  if (const search::Sequence known = sequenceOf(options.known, spec); !known.empty()) {
    search_options.seeds.insert(search_options.seeds.begin(), known);
    search_options.knowledge.coresets.clear();  // has been tried
  } else {
    search_options.first = search::firstAnswer(search_options.knowledge, options.objective, spec.actions);
    if (searching) search_options.at_once = search::find("policy_answer");
  }
  search_options.seed = options.seed;
  search_options.minimize = searching;
  search_options.explain = false;
  if (chooses) search_options.program = engine.info().program;
  // A build compares the object that clang makes of the answer, which says more than a replay. Other
  // objectives than its size are not looked at again.
  search_options.confirm = searching || options.objective != env::kTextBytes;
  search_options.on_phase = [&](std::string_view phase) {
    if (phase == search::kSearching) clock->start();
  };
  ORDO_TRY_ASSIGN(const search::SearchResult found, search::search(*evaluator, search_options));

  answer.baseline = found.seeds[found.seeds.size() - 2].value;
  answer.tuned = found.best.value;
  if (answer.tuned < answer.baseline) {
    std::vector<env::Action> actions;
    for (const env::ActionIndex action : found.best.actions) actions.push_back(spec.actions[action]);
    answer.actions = std::move(actions);
  }
  if (chooses && clock->seconds() < options.seconds) {
    const ByFunctionOptions by_function{.objective = options.objective,
                                        .limits = std::move(within),
                                        .seed = options.seed,
                                        .similar = options.similar,
                                        .memory = options.memory,
                                        .done = [&](std::size_t, double ahead_s) {
                                          return clock->seconds() + ahead_s >= options.seconds ||
                                                 (options.stop != nullptr && options.stop->load());
                                        }};
    evaluator.reset();  // whose worker is needed
    ORDO_TRY(thenByFunction(engine, spec, {found.best.actions, found.program}, search_options.knowledge,
                            by_function, options.learned, answer));
  }
  if (answer.actions && !finish.empty()) {
    ORDO_TRY_ASSIGN(answer.actions,
                    engine::finished(engine, input, spec.program, *std::move(answer.actions)));
  }
  return answer;
}

Result<std::vector<env::Action>> firstAnswer(const engine::Input& input, const spaces::Space& space,
                                             const std::string& objective, std::string_view kind,
                                             const std::string& knowledge) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(knowledge));
  ORDO_TRY_ASSIGN(const search::KnowledgeFile file, search::parseKnowledge(text, knowledge));
  env::ActionIndex baseline = 0;
  const std::vector<env::Action> actions =
      engine::candidateActions(input, space, /*allow_unsafe=*/false, baseline);
  ORDO_TRY_ASSIGN(const search::Knowledge known, search::knowledgeFor(file, actions, {}, kind));
  std::vector<env::Action> answer;
  for (const env::ActionIndex action : search::firstAnswer(known, objective, actions))
    answer.push_back(actions[action]);
  return answer;
}

}  // namespace ordo::tune
