#include "app/tune.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/check.h"
#include "app/faster.h"
#include "app/knowledge.h"
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

// The metrics of a recipe: the objective, if it is one, then what everybody asks for.
std::vector<std::string> figureMetrics(const std::string& objective) {
  std::vector<std::string> metrics;
  if (objective != recipe::kRuntime) metrics.push_back(objective);
  for (const char* metric : {"text_bytes", "ir_instructions"}) {
    if (metric != objective) metrics.emplace_back(metric);
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
  search::Sequence best;
  std::vector<search::Contribution> contributions;
  search::Statistics statistics;
  // Whether what comes of `best` is what was measured: few passes depend on addresses.
  std::function<Result<bool>(const State& replayed)> holds = {};
  std::vector<recipe::Figure> figures = {};  // that describeResult() cannot measure
  std::optional<recipe::Timing> timing = {};
};

Result<Found> findByMetric(Engine& engine, const env::SessionSpec& spec, env::ActionIndex baseline,
                           const TuneOptions& options) {
  // Search, with the untouched program and the baseline as the first candidates.
  search::EvaluatorOptions evaluator_options;
  evaluator_options.jobs = options.jobs;
  evaluator_options.stop = options.stop;
  ORDO_TRY_ASSIGN(
      const std::unique_ptr<search::Evaluator> evaluator,
      search::Evaluator::open(engine.backend(), spec, objectiveFor(options.objective), evaluator_options));
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
  Found found{std::move(result.best.actions), std::move(result.contributions), result.statistics};
  found.holds = [&options, most = result.seeds.front().value](const State& replayed) -> Result<bool> {
    ORDO_TRY_ASSIGN(const double value, measured(replayed, options.objective));
    return options.objective == "compile_ms" || value <= most;
  };
  return found;
}

Result<Found> findByTime(Engine& engine, const Input& input, const env::SessionSpec& spec,
                         env::ActionIndex baseline, const TuneOptions& options) {
  ORDO_TRY_ASSIGN(Faster faster, findFaster(engine, input, spec, baseline, options));
  Found found{std::move(faster.best), {}, faster.statistics};
  const bool won = found.best != search::Sequence{baseline};
  found.holds = [won, hash = faster.hash](const State& replayed) -> Result<bool> {
    return !won || replayed.hash == hash;
  };
  found.figures = {std::move(faster.figure)};
  found.timing = std::move(faster.timing);
  return found;
}

// Fills in what was found and how the baselines compare.
Status describeResult(Engine& engine, const Input& input, std::string_view program, const State& best,
                      const env::Action& baseline, recipe::Recipe& recipe) {
  ORDO_TRY_ASSIGN(const State at_baseline, reach(engine, input, program, {baseline}));
  std::vector<env::Action> bare = bareAttributes();
  bare.push_back(baselineAction({input.baseline.level, true}, input.pipeline));
  const Result<State> at_bare = reach(engine, input, input.compiled.bytes, bare);
  for (const std::string& metric : figureMetrics(recipe.objective)) {
    recipe::Figure figure{metric, 0, 0, 0};
    ORDO_TRY_ASSIGN(figure.baseline, measured(at_baseline, metric));
    if (at_bare) {
      ORDO_TRY_ASSIGN(figure.bare, measured(*at_bare, metric));
    }
    ORDO_TRY_ASSIGN(figure.tuned, measured(best, metric));
    recipe.figures.push_back(std::move(figure));
  }
  recipe.result_hash = best.hash;
  return {};
}

// Compares the functions of `best` with the original's, for programs that no tests run. If they compute
// something else, `best` becomes the baseline and the value says how; unless that does not compute the same
// either, which says more about the comparison than about passes. `recipe` is told what was compared.
Result<std::string> compareFunctions(Engine& engine, const Input& input, std::string_view program,
                                     const env::Action& baseline, State& best, recipe::Recipe& recipe) {
  const CheckOptions options{.seconds = 1, .limit_s = 10};
  std::optional<differential::Report> report;
  Check found = checkFunctions(input.compiled.bytes, best.bitcode, options, report);
  std::string wrong;
  if (found.verdict == Verdict::kFailed) {
    ORDO_TRY_ASSIGN(State at_baseline, reach(engine, input, program, {baseline}));
    Check of_baseline = checkFunctions(input.compiled.bytes, at_baseline.bitcode, options, report);
    if (of_baseline.verdict == Verdict::kFailed) {
      found.detail =
          fmt::format("functions could not be compared: {}, and so is the baseline's", found.detail);
    } else {
      wrong = fmt::format("the winner was refused: {}", found.detail);
      best = std::move(at_baseline);
      found = std::move(of_baseline);
    }
  }
  recipe.tested = fmt::format("not run: no tests are known for this program; {}", found.detail);
  return wrong;
}

// Proves the result: same IR from stock opt, same size from llvm-size, same behaviour in tests.
Status prove(Engine& engine, const Input& input, Tuned& tuned) {
  Result<std::string> verified = verifyWithStock(engine, input, tuned.recipe);
  tuned.verified = verified ? Tuned::Checked::kPassed : Tuned::Checked::kFailed;
  tuned.recipe.verified = verified ? *verified : verified.error().message;

  ORDO_TRY_ASSIGN(tuned.object, frontend::emitObject(tuned.bitcode, input.baseline.level,
                                                     emissionSource(input.source, tuned.recipe.actions)));
  ORDO_TRY_ASSIGN(const std::uint64_t text, frontend::textSize(tuned.object));
  for (const recipe::Figure& figure : tuned.recipe.figures) {
    if (figure.metric == "text_bytes" && figure.tuned != static_cast<double>(text)) {
      tuned.notes.push_back(fmt::format(
          "clang's object has {} bytes of text where the search measured {:.0f}", text, figure.tuned));
    }
  }
  ORDO_TRY_ASSIGN(const std::optional<datasets::TestReport> report, testObject(input, tuned.object));
  if (report) tuned.recipe.tested = report->summary();
  if (report) tuned.tested = report->passed() ? Tuned::Checked::kPassed : Tuned::Checked::kFailed;
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

  ORDO_TRY_ASSIGN(Found found, options.objective == recipe::kRuntime
                                   ? findByTime(engine, input, spec, baseline, options)
                                   : findByMetric(engine, spec, baseline, options));
  tuned.statistics = found.statistics;

  if (options.on_phase) options.on_phase("measuring the result");
  // Replay the winner once more from the program as given, to have it and its figures. Should it not
  // be what it was, the baseline is what is left.
  for (const env::ActionIndex action : found.best) recipe.actions.push_back(spec.actions[action]);
  ORDO_TRY_ASSIGN(State best, reach(engine, input, program, recipe.actions));
  // Of a result that is not to be, the baseline is left.
  const auto refuse = [&](const std::string& why) {
    tuned.notes.push_back(why + "; the result is the baseline");
    recipe.actions = {spec.actions[baseline]};
    found.contributions.clear();
    if (!found.timing) return;
    found.timing->verdict = timing::name(timing::Verdict::kVoid);
    found.timing->why = tuned.notes.back();
    found.figures.front().tuned = found.figures.front().baseline;
  };
  ORDO_TRY_ASSIGN(const bool holds, found.holds(best));
  if (!holds) {
    refuse("the winner did not replay as measured");
    ORDO_TRY_ASSIGN(best, reach(engine, input, program, recipe.actions));
  }
  if (input.program.tests.empty()) {
    if (options.on_phase) options.on_phase("comparing functions");
    ORDO_TRY_ASSIGN(const std::string wrong,
                    compareFunctions(engine, input, program, spec.actions[baseline], best, recipe));
    if (!wrong.empty()) refuse(wrong);
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
  ORDO_TRY(describeResult(engine, input, program, best, spec.actions[baseline], recipe));
  for (const search::Contribution& part : found.contributions) {
    recipe.reasons.push_back({static_cast<std::int64_t>(part.index), part.delta});
  }
  recipe.backend = engine.info().name;
  recipe.backend_version = engine.info().version;
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

  if (options.on_phase) options.on_phase("proving the result");
  ORDO_TRY(prove(engine, input, tuned));
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
