#include "app/tune.h"

#include <algorithm>
#include <cmath>

#include "app/faster.h"
#include "app/job.h"
#include "app/limits.h"
#include "app/reach.h"
#include "app/stock.h"
#include "env/preference.h"
#include "frontend/opt.h"
#include "support/files.h"
#include "support/process.h"
#include "support/text.h"

namespace ordo::app {
namespace {

// Results that are asked after the winner, before the baseline is left.
constexpr std::size_t kNextBest = 4;

// A search of a large program that is worth its name, in times of what the baseline took.
constexpr double kFewAnswers = 10;

Status checkOwn(Engine& engine, const recipe::Recipe& recipe) {
  if (recipe.backend == engine.info().name && recipe.backend_version == engine.info().version) return {};
  return fail(ErrorCode::kUnsupported,
              "the recipe is for {} {} and this is {} {}: passes differ between versions; tune again",
              recipe.backend, recipe.backend_version, engine.info().name, engine.info().version);
}

// Where making the baseline has taken the budget, and measuring it anew would take as much again.
Result<Found> withoutSearch(const Job& job, const TuneOptions& options) {
  Found found{.candidates = {{job.baseline()}}, .contributions = {}, .statistics = {}};
  found.holds = [](const State&) -> Result<bool> { return true; };
  const double enough_s =
      options.budget.seconds - job.secondsToSearch() + kFewAnswers * job.baselineSeconds();
  found.notes.push_back(fmt::format(
      "nothing was searched: to make and to measure the baseline took {:.1f} s of a budget of {:.3g} "
      "s; with --budget {:.0f}s there is time for a few others",
      job.baselineSeconds(), options.budget.seconds, std::ceil(enough_s)));
  return found;
}

Result<Found> findByMetric(const Job& job, const TuneOptions& options) {
  if (job.secondsToSearch() < job.baselineSeconds()) return withoutSearch(job, options);
  search::Objective objective = objectiveFor(options.objective);
  objective.limits = job.limits();
  search::SearchOptions search_options;
  search_options.budget = options.budget;
  ORDO_TRY_ASSIGN(search::SearchResult result, job.search(std::move(objective), std::move(search_options)));
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

Result<Found> findByTime(Engine& engine, const Input& input, Job& job, const TuneOptions& options) {
  ORDO_TRY_ASSIGN(Faster faster,
                  findFaster(engine, input, job.spec(), job.baseline(), job.limits(), options));
  Found found{{std::move(faster.best)}, {}, faster.statistics};
  const bool won = found.candidates.front() != search::Sequence{job.baseline()};
  found.holds = [won, hash = faster.hash](const State& replayed) -> Result<bool> {
    return !won || replayed.hash == hash;
  };
  found.figures = {std::move(faster.figure)};
  found.timing = std::move(faster.timing);
  found.rewards = faster.rewards;
  found.raced = std::move(faster.raced);
  found.notes = std::move(faster.notes);
  return found;
}

// What `recipe` asks for, done to `program`. A sealed recipe was done once: that it cannot be is our failure.
// Any other may ask for anything.
Result<State> follow(Engine& engine, const Input& input, std::string_view program,
                     const std::vector<env::Action>& actions, const recipe::Recipe& recipe) {
  Result<State> state = reach(engine, input, program, actions);
  if (state || recipe.sealed || state.error().code != ErrorCode::kInternal) return state;
  return fail(ErrorCode::kCorrupt, "the recipe cannot be followed: {}", state.error().message);
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
  const auto of_bytes = [](const env::Preference::Part& part) {
    return part.metric == "text_bytes" || part.metric == "object_bytes";
  };
  const auto preference = env::parsePreference(objective);
  return preference && std::ranges::any_of(preference->parts, of_bytes) ? "text" : "size";
}

search::Objective objectiveFor(const std::string& objective) {
  const bool cheap = objective == "ir_instructions" || objective == "compile_ms";
  return {.metric = objective, .screen = cheap ? "" : "ir_instructions"};
}

double Tuned::improvement() const {
  const recipe::Figure& objective = recipe.figures.front();
  return objective.baseline == 0 ? 0 : (objective.baseline - objective.tuned) / objective.baseline;
}

Status checkObjective(const env::BackendInfo& info, const std::string& objective) {
  std::vector<std::string> names;
  const bool single = objective.find('=') == std::string::npos;
  for (const env::MetricInfo& metric : info.metrics) {
    if (single || metric.deterministic) names.push_back(metric.name);
  }
  return checkObjective(names, objective);
}

Status checkObjective(const std::vector<std::string>& metrics, const std::string& objective) {
  ORDO_TRY_ASSIGN(const env::Preference preference, env::parsePreference(objective));
  for (const env::Preference::Part& part : preference.parts) {
    if (!preference.single() && part.metric == recipe::kRuntime) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: a run time is known only after many runs; for speed within a size, say --objective "
                  "runtime --limit text_bytes=+5%",
                  objective);
    }
    if (std::ranges::find(metrics, part.metric) == metrics.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("objective", part.metric, metrics));
  }
  return {};
}

Status checkTunable(const env::BackendInfo& info, const std::string& objective) {
  env::BackendInfo all = info;
  env::MetricInfo& time = all.metrics.emplace_back();
  time.name = recipe::kRuntime;
  time.deterministic = false;
  return checkObjective(all, objective);
}

Result<Tuned> tune(Engine& engine, const Input& input, const spaces::Space& space,
                   const TuneOptions& options) {
  ORDO_TRY(checkTunable(engine.info(), options.objective));
  ORDO_TRY(checkLimits(engine.info(), options.objective, options.limits));
  ORDO_TRY_ASSIGN(Job job, Job::start(engine, input, space, options));
  ORDO_TRY_ASSIGN(Found found, options.objective == recipe::kRuntime ? findByTime(engine, input, job, options)
                                                                     : findByMetric(job, options));
  if (options.on_phase) options.on_phase("proving the result");
  return job.conclude(std::move(found));
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
  ORDO_TRY_ASSIGN(State prepared, follow(engine, input, input.compiled.bytes, recipe.prepare, recipe));
  ORDO_TRY_ASSIGN(State best, follow(engine, input, prepared.bitcode, recipe.actions, recipe));
  return Replayed{std::move(best.bitcode), best.hash};
}

Result<std::string> verifyWithStock(Engine& engine, const Input& input, const recipe::Recipe& recipe) {
  ORDO_TRY(checkOwn(engine, recipe));
  return proveWithStock(engine, input, input.compiled.bytes, allActions(recipe), recipe.result_hash);
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
