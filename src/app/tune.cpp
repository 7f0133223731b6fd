#include "app/tune.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/faster.h"
#include "app/gate.h"
#include "app/knowledge.h"
#include "app/limits.h"
#include "app/reach.h"
#include "app/stock.h"
#include "frontend/opt.h"
#include "support/files.h"
#include "support/process.h"
#include "support/text.h"
#include "timing/trial.h"

namespace ordo::app {
namespace {

// Calls `report` with the evaluator's statistics until it goes.
class Reporter {
 public:
  Reporter(const search::Evaluator& evaluator, const std::function<void(const search::Statistics&)>& report) {
    if (!report) return;
    thread_ = std::jthread([&evaluator, &report, this](const std::stop_token& token) {
      std::unique_lock lock(mutex_);
      while (!wake_.wait_for(lock, token, std::chrono::milliseconds(100),
                             [&] { return token.stop_requested(); })) {
        report(evaluator.statistics());
      }
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

// Results that are asked after the winner, before the baseline is left.
constexpr std::size_t kNextBest = 4;

// The metrics of a recipe: the objective, if it is one, then what everybody asks for, and what has a limit.
std::vector<std::string> figureMetrics(const std::string& objective,
                                       const std::vector<search::Limit>& limits) {
  std::vector<std::string> metrics;
  if (objective != recipe::kRuntime) metrics.push_back(objective);
  std::vector<std::string> all{"text_bytes", "ir_instructions"};
  for (const search::Limit& limit : limits) all.push_back(limit.metric);
  for (std::string& metric : all) {
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(std::move(metric));
  }
  return metrics;
}

Status checkOwn(Engine& engine, const recipe::Recipe& recipe) {
  if (recipe.backend == engine.info().name && recipe.backend_version == engine.info().version) return {};
  return fail(ErrorCode::kUnsupported,
              "the recipe is for {} {} and this is {} {}: passes differ between versions; tune again",
              recipe.backend, recipe.backend_version, engine.info().name, engine.info().version);
}

std::vector<env::Action> allActions(const recipe::Recipe& recipe) {
  std::vector<env::Action> actions = recipe.prepare;
  actions.insert(actions.end(), recipe.actions.begin(), recipe.actions.end());
  return actions;
}

// What a search for an objective came to.
struct Found {
  std::vector<search::Sequence> candidates;         // for the result, best first
  std::vector<search::Contribution> contributions;  // to the first
  search::Statistics statistics;
  // Whether what comes of a candidate is what was measured: few passes depend on addresses.
  std::function<Result<bool>(const State& replayed)> holds = {};
  std::vector<recipe::Figure> figures = {};  // that describeResult() cannot measure
  std::optional<recipe::Timing> timing = {};
};

Result<Found> findByMetric(Engine& engine, const env::SessionSpec& spec, env::ActionIndex baseline,
                           const std::vector<search::Limit>& limits, const TuneOptions& options) {
  // Search, with the untouched program and the baseline as the first candidates.
  search::EvaluatorOptions evaluator_options;
  evaluator_options.jobs = options.jobs;
  evaluator_options.stop = options.stop;
  search::Objective objective = objectiveFor(options.objective);
  objective.limits = limits;
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(engine.backend(), spec, objective, evaluator_options));
  search::SearchOptions search_options;
  search_options.searcher = options.searcher;
  search_options.budget = options.budget;
  search_options.seeds = {{baseline}, {}};
  search_options.seed = options.seed;
  ORDO_TRY_ASSIGN(search_options.knowledge, loadKnowledge(options.learned, engine.backend(), spec));
  double baseline_value = 0;
  search_options.on_improvement = [&](const search::Evaluation& best) {
    if (best.actions == search::Sequence{baseline}) baseline_value = best.value;
    if (options.on_improvement) options.on_improvement(baseline_value, best);
  };
  Result<search::SearchResult> searched = [&] {
    const Reporter reporter(*evaluator, options.on_progress);
    return search::search(*evaluator, search_options);
  }();
  ORDO_TRY_ASSIGN(search::SearchResult result, std::move(searched));
  Found found{{std::move(result.best.actions)}, std::move(result.contributions), result.statistics};
  for (search::Evaluation& other : result.others) {
    if (found.candidates.size() <= kNextBest) found.candidates.push_back(std::move(other.actions));
  }
  found.holds = [&options, most = result.seeds.front().value](const State& replayed) -> Result<bool> {
    ORDO_TRY_ASSIGN(const double value, measured(replayed, options.objective));
    return options.objective == "compile_ms" || value <= most;
  };
  return found;
}

Result<Found> findByTime(Engine& engine, const Input& input, env::SessionSpec& spec,
                         env::ActionIndex baseline, const std::vector<search::Limit>& limits,
                         const TuneOptions& options) {
  ORDO_TRY_ASSIGN(Faster faster, findFaster(engine, input, spec, baseline, limits, options));
  Found found{{std::move(faster.best)}, {}, faster.statistics};
  const bool won = found.candidates.front() != search::Sequence{baseline};
  found.holds = [won, hash = faster.hash](const State& replayed) -> Result<bool> {
    return !won || replayed.hash == hash;
  };
  found.figures = {std::move(faster.figure)};
  found.timing = std::move(faster.timing);
  return found;
}

// Fills in how the result and the baselines compare.
Status describeResult(Engine& engine, const Input& input, const State& best, const State& baseline,
                      const std::vector<search::Limit>& limits, recipe::Recipe& recipe) {
  std::vector<env::Action> bare = bareAttributes();
  bare.push_back(baselineAction({input.baseline.level, true}, input.pipeline));
  const Result<State> at_bare = reach(engine, input, input.compiled.bytes, bare);
  for (const std::string& metric : figureMetrics(recipe.objective, limits)) {
    recipe::Figure figure{metric, 0, 0, 0};
    ORDO_TRY_ASSIGN(figure.baseline, measured(baseline, metric));
    if (at_bare) {
      ORDO_TRY_ASSIGN(figure.bare, measured(*at_bare, metric));
    }
    ORDO_TRY_ASSIGN(figure.tuned, measured(best, metric));
    recipe.figures.push_back(std::move(figure));
  }
  return {};
}

Result<bool> isWithin(const std::vector<search::Limit>& limits, const State& state) {
  for (const search::Limit& limit : limits) {
    ORDO_TRY_ASSIGN(const double amount, measured(state, limit.metric));
    if (amount > limit.most) return false;
  }
  return true;
}

// What the search found, replayed once more from the program as given: the best that passes the gate.
class Chooser {
 public:
  Chooser(Engine& engine, const Input& input, const std::string& program, const env::SessionSpec& spec,
          const Found& found, const std::vector<search::Limit>& limits)
      : engine_(engine), input_(input), program_(program), spec_(spec), found_(found), limits_(limits) {}

  // Tries them all, and the baseline last, which is taken whatever the gate says. Tells `recipe` and `tuned`.
  // The state of the result.
  Result<State> choose(env::ActionIndex baseline, const State& at_baseline, recipe::Recipe& recipe,
                       Tuned& tuned) {
    Gate gate(engine_, input_, at_baseline);
    std::vector<search::Sequence> candidates = found_.candidates;
    if (candidates.back() != search::Sequence{baseline}) candidates.push_back({baseline});
    for (const search::Sequence& candidate : candidates) {
      const bool last = candidate == search::Sequence{baseline};
      recipe.actions.clear();
      for (const env::ActionIndex action : candidate) recipe.actions.push_back(spec_.actions[action]);
      Result<State> state = reach(engine_, input_, program_, recipe.actions);
      // Of the others nobody has made sure that they replay.
      if (!state && last) return state;
      std::string why = state ? "" : state.error().message;
      if (state && !last) {
        ORDO_TRY_ASSIGN(const bool holds, found_.holds(*state));
        ORDO_TRY_ASSIGN(const bool within, isWithin(limits_, *state));
        if (!holds || !within) why = "it did not replay as measured";
      }
      if (why.empty()) {
        recipe.result_hash = state->hash;
        ORDO_TRY_ASSIGN(Gated gated, gate.ask(*state, recipe));
        why = std::move(gated.refused);
        if (why.empty() || last) {
          tuned.object = std::move(gated.object);
          tuned.verified = gated.verified;
          tuned.tested = gated.tested;
          return state;
        }
      }
      Refused& refused = tuned.refused.emplace_back();
      for (const env::Action& action : recipe.actions) refused.actions.push_back(action.name);
      refused.why = std::move(why);
    }
    return fail(ErrorCode::kInternal, "the baseline is no candidate");
  }

 private:
  Engine& engine_;
  const Input& input_;
  const std::string& program_;
  const env::SessionSpec& spec_;
  const Found& found_;
  const std::vector<search::Limit>& limits_;
};

// A search and clang should agree on what the result's code is.
Status compareSizes(Tuned& tuned) {
  ORDO_TRY_ASSIGN(const std::uint64_t text, frontend::textSize(tuned.object));
  for (const recipe::Figure& figure : tuned.recipe.figures) {
    if (figure.metric == "text_bytes" && figure.tuned != static_cast<double>(text)) {
      tuned.notes.push_back(fmt::format(
          "clang's object has {} bytes of text where the search measured {:.0f}", text, figure.tuned));
    }
  }
  return {};
}

}  // namespace

std::vector<env::Action> candidateActions(const Input& input, const spaces::Space& space, bool allow_unsafe,
                                          env::ActionIndex& baseline) {
  std::vector<env::Action> actions;
  const env::Action own = baselineAction(input.baseline, input.pipeline);
  for (env::ActionIndex i = 0; i < space.actions.size(); ++i) {
    if (!allow_unsafe && std::find(space.unsafe.begin(), space.unsafe.end(), i) != space.unsafe.end())
      continue;
    actions.push_back(space.actions[i].name == own.name ? own : space.actions[i]);
  }
  const auto found =
      std::find_if(actions.begin(), actions.end(), [&](const env::Action& a) { return a.name == own.name; });
  baseline = static_cast<env::ActionIndex>(found - actions.begin());
  if (found == actions.end()) actions.push_back(own);
  return actions;
}

std::string usualSpace(const std::string& objective) {
  if (objective == recipe::kRuntime) return "speed";
  return objective == "text_bytes" || objective == "object_bytes" ? "text" : "size";
}

search::Objective objectiveFor(const std::string& metric) {
  const bool cheap = metric == "ir_instructions" || metric == "compile_ms";
  return {.metric = metric, .screen = cheap ? "" : "ir_instructions"};
}

double Tuned::improvement() const {
  const recipe::Figure& objective = recipe.figures.front();
  return objective.baseline == 0 ? 0 : (objective.baseline - objective.tuned) / objective.baseline;
}

Status checkObjective(const env::BackendInfo& info, const std::string& objective) {
  std::vector<std::string> names;
  for (const env::MetricInfo& metric : info.metrics) names.push_back(metric.name);
  if (std::find(names.begin(), names.end(), objective) != names.end()) return {};
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("objective", objective, names));
}

Status checkTunable(const env::BackendInfo& info, const std::string& objective) {
  env::BackendInfo all = info;
  all.metrics.emplace_back().name = recipe::kRuntime;
  return checkObjective(all, objective);
}

Result<Tuned> tune(Engine& engine, const Input& input, const spaces::Space& space,
                   const TuneOptions& options) {
  ORDO_TRY(checkTunable(engine.info(), options.objective));
  ORDO_TRY(checkLimits(engine.info(), options.objective, options.limits));
  Tuned tuned;
  tuned.notes = input.notes;
  recipe::Recipe& recipe = tuned.recipe;

  // A bare baseline is about a program without clang's size attributes.
  std::string program = input.compiled.bytes;
  if (input.baseline.bare) {
    recipe.prepare = bareAttributes();
    ORDO_TRY_ASSIGN(State prepared, reach(engine, input, program, recipe.prepare));
    program = std::move(prepared.bitcode);
  }

  env::SessionSpec spec{input.program.uri, program, {}, input.codegenOptions()};
  env::ActionIndex baseline = 0;
  spec.actions = candidateActions(input, space, options.allow_unsafe, baseline);

  const Result<State> reached = reach(engine, input, program, {spec.actions[baseline]});
  if (!reached && reached.error().code == ErrorCode::kCorrupt) return fail(reached.error());
  if (!reached)
    return fail(ErrorCode::kUnsupported, "the baseline itself fails on this program: {}",
                reached.error().message);
  const State& at_baseline = *reached;
  ORDO_TRY_ASSIGN(const std::vector<search::Limit> limits, limitsFor(options.limits, at_baseline));
  ORDO_TRY_ASSIGN(Found found, options.objective == recipe::kRuntime
                                   ? findByTime(engine, input, spec, baseline, limits, options)
                                   : findByMetric(engine, spec, baseline, limits, options));
  tuned.statistics = found.statistics;

  recipe.backend = engine.info().name;
  recipe.backend_version = engine.info().version;
  if (options.on_phase) options.on_phase("proving the result");
  ORDO_TRY_ASSIGN(
      State best,
      Chooser(engine, input, program, spec, found, limits).choose(baseline, at_baseline, recipe, tuned));
  if (!tuned.refused.empty()) found.contributions.clear();
  if (!tuned.refused.empty() && found.timing) {
    found.timing->verdict = timing::name(timing::Verdict::kVoid);
    found.timing->why = fmt::format("the winner was refused: {}", tuned.refused.front().why);
    found.figures.front().tuned = found.figures.front().baseline;
  }
  recipe.figures = std::move(found.figures);
  recipe.timing = std::move(found.timing);
  recipe.program = input.program.name;
  recipe.source = input.program.uri;
  recipe.language = input.source.language;
  recipe.flags = input.source.flags;
  ORDO_TRY_ASSIGN(const State start, reach(engine, input, input.compiled.bytes, {}));
  recipe.program_hash = start.hash;
  recipe.baseline = input.baseline.name();
  recipe.objective = options.objective;
  recipe.limits = options.limits;
  ORDO_TRY(describeResult(engine, input, best, at_baseline, limits, recipe));
  for (const search::Contribution& part : found.contributions) {
    recipe.reasons.push_back({static_cast<std::int64_t>(part.index), part.delta});
  }
  recipe.target = engine.info().target;
  recipe.codegen = input.codegenOptions();
  recipe.space = space.name;
  recipe.space_hash = space.hash;
  recipe.searcher = recipe.timing ? "draft" : options.searcher->name;
  recipe.seed = static_cast<std::int64_t>(options.seed);
  recipe.jobs = options.jobs;
  recipe.evaluations = static_cast<std::int64_t>(found.statistics.evaluations);
  recipe.seconds = found.statistics.seconds;
  ORDO_TRY_ASSIGN(recipe.stock, stockCommands(input, allActions(recipe), input.program.name + ".o"));
  tuned.bitcode = std::move(best.bitcode);
  if (!tuned.object.empty()) ORDO_TRY(compareSizes(tuned));
  tuned.isolation = engine.backend().stats();
  return tuned;
}

Result<Replayed> replay(Engine& engine, const Input& input, const recipe::Recipe& recipe) {
  ORDO_TRY(checkOwn(engine, recipe));
  ORDO_TRY_ASSIGN(const State start, reach(engine, input, input.compiled.bytes, {}));
  if (start.hash != recipe.program_hash) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is not the program this recipe was made for ('{}' with flags [{}]): the source, the "
                "flags or clang "
                "changed; tune again",
                input.program.path().string(), recipe.program, shellQuote(recipe.flags));
  }
  ORDO_TRY_ASSIGN(State prepared, reach(engine, input, input.compiled.bytes, recipe.prepare));
  ORDO_TRY_ASSIGN(State best, reach(engine, input, prepared.bitcode, recipe.actions));
  return Replayed{std::move(best.bitcode), best.hash};
}

Result<std::string> verifyWithStock(Engine& engine, const Input& input, const recipe::Recipe& recipe) {
  ORDO_TRY(checkOwn(engine, recipe));
  ORDO_TRY_ASSIGN(const std::string stock, runStock(input.compiled.bytes, allActions(recipe), input.codegen));
  // opt knows nothing of the code generator's options, and the hash of a state counts them.
  std::vector<env::Action> chosen = recipe.actions;
  std::erase_if(chosen, [](const env::Action& action) { return action.kind != env::ActionKind::kCodegen; });
  ORDO_TRY_ASSIGN(const State reached, reach(engine, input, stock, chosen));
  if (reached.hash != recipe.result_hash) {
    return fail(ErrorCode::kCorrupt, "stock opt-22 makes other IR (hash {}) than the recipe says ({})",
                reached.hash.hex(), recipe.result_hash.hex());
  }
  return fmt::format("stock opt-22 makes the same IR (hash {})", reached.hash.hex());
}

Result<std::string> textualIr(Engine& engine, const Input& input, std::string_view bitcode) {
  ORDO_TRY_ASSIGN(const State state, reach(engine, input, bitcode, {}));
  ORDO_TRY_ASSIGN(const env::Observation text, state.session->observe("ir"));
  return std::string(text.text());
}

Result<std::optional<datasets::TestReport>> testObject(const Input& input, std::string_view object) {
  if (input.program.tests.empty()) return std::nullopt;
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path executable = dir.path() / "program";
  ORDO_TRY(frontend::linkExecutable(object, input.source, input.program.ldflags, executable));
  ORDO_TRY_ASSIGN(datasets::TestReport report, datasets::runTests(input.program, executable));
  return report;
}

}  // namespace ordo::app
