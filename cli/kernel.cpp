// A search by the least time of a few runs, and then a claim: the winner beside the baseline, in turn, on
// numbers that no search has seen (timing/session_experiment.h). What was not shown to be faster is not the
// result, and what is printed of the result and its baseline is what that claim says.
#include "cli/kernel.h"

#include <array>
#include <cmath>
#include <mutex>
#include <sstream>

#include "cli/kernel_answers.h"
#include "cli/kernel_beside.h"
#include "cli/run_time.h"
#include "cli/terminal.h"
#include "engine/kernel.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "engine/replay.h"
#include "env/experiment.h"
#include "search/catalog/catalog.h"
#include "search/evaluation/budget_text.h"
#include "support/clock.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"
#include "timing/session_experiment.h"
#include "tune/progress_text.h"
#include "tune/tune.h"

namespace ordo::cli {
namespace {

constexpr double kClaimSeconds = 5;
constexpr unsigned kLooks = 4;  // at most, each at twice as many blocks: of a noisy machine, up to a minute

struct Scheduled {
  tune::Tuned tuned;
  // Of what the search liked best beside the baseline, unless that was the baseline.
  std::optional<env::Claim> claim;
  double flops = 0;
  unsigned threads = 1;
  double peak = 0;         // GF/s, of so many cores
  std::int64_t width = 4;  // of the floats that this is of, in bytes
  double best_ns = 0, baseline_ns = 0;
  double naive_ns = 0;
  std::vector<Beside> beside;
  std::vector<Answer> answers;
  bool kept = false;                    // the baseline, for nothing was shown to be better
  std::vector<std::string> liked = {};  // the steps that were not
  std::vector<std::string> files;

  double gflops(double ns) const { return ns > 0 ? flops / ns : 0; }
};

Result<double> value(env::Session& session, std::string_view metric) {
  ORDO_TRY_ASSIGN(const env::Measurement measurement, session.measure(metric));
  if (!measurement.ok()) return fail(ErrorCode::kUnsupported, "measuring {}: {}", metric, measurement.detail);
  return measurement.value;
}

// What the backend would try first, step by step.
Result<std::vector<std::vector<std::string>>> proposalsFor(engine::Engine& engine,
                                                           const engine::Input& input) {
  ORDO_TRY_ASSIGN(const auto session, engine::walk(engine, input, input.compiled.bytes, {}));
  ORDO_TRY_ASSIGN(const std::string lines, engine::observedText(*session, "proposals"));
  std::vector<std::vector<std::string>> all;
  for (std::istringstream in(lines); in.good();) {
    std::string line, step;
    std::getline(in, line);
    if (line.empty()) continue;
    std::vector<std::string>& steps = all.emplace_back();
    for (std::istringstream words(line); std::getline(words, step, ';');) steps.push_back(step);
  }
  return all;
}

// Steps that were not possible where they stand, or changed nothing, are left out of the recipe.
Status dropIdle(engine::Engine& engine, const engine::Input& input, recipe::Recipe& recipe) {
  ORDO_TRY_ASSIGN(const auto session, engine.backend().open({input.program.uri, input.compiled.bytes,
                                                             recipe.actions, input.settings()}));
  std::vector<env::Action> kept;
  std::vector<std::int64_t> places;  // of each action among those kept, or -1
  for (env::ActionIndex i = 0; i < recipe.actions.size(); ++i) {
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(std::array{i}));
    places.push_back(outcome.changed ? static_cast<std::int64_t>(kept.size()) : -1);
    if (outcome.changed) kept.push_back(recipe.actions[i]);
  }
  recipe.actions = std::move(kept);
  std::erase_if(recipe.reasons, [&](const recipe::Reason& reason) {
    return places[static_cast<std::size_t>(reason.action)] < 0;
  });
  for (recipe::Reason& reason : recipe.reasons)
    reason.action = places[static_cast<std::size_t>(reason.action)];
  return {};
}

// Never worse than asked for: what was not shown to be better is not the result.
Status keepBaseline(engine::Engine& engine, const engine::Input& input, env::Session& baseline,
                    Scheduled& scheduled) {
  recipe::Recipe& recipe = scheduled.tuned.recipe;
  scheduled.kept = true;
  for (const env::Action& action : recipe.actions) scheduled.liked.push_back(action.name);
  recipe.actions = {input.own_baseline};
  recipe.reasons.clear();
  for (recipe::Figure& figure : recipe.figures) figure.tuned = figure.baseline;
  ORDO_TRY_ASSIGN(recipe.result_hash, baseline.stateHash());
  ORDO_TRY_ASSIGN(recipe.verified, engine::verifyWithStock(engine, input, recipe));
  return {};
}

Result<Scheduled> tuneKernel(engine::Engine& engine, const std::string& file, const KernelRequest& request) {
  ORDO_TRY_ASSIGN(const engine::Input input,
                  engine::readKernel(engine, file, request.baseline, request.threads));
  ORDO_TRY_ASSIGN(const spaces::Space space, engine::kernelSpace(engine, input, request.space));
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(request.budget));
  const std::string& name = input.program.name;
  ProgressLine progress(!request.quiet);
  const SteadyClock clock;
  const double start_s = clock.seconds();
  tune::TuneOptions options;
  options.objective = engine::kKernelTime;
  options.budget = budget;
  options.searcher = search::find(request.searcher);
  options.seed = request.seed;
  options.jobs = request.jobs;
  // Proposals are of all steps.
  if (request.space.empty()) {
    ORDO_TRY_ASSIGN(options.proposals, proposalsFor(engine, input));
    // A model has many operations, and each takes several steps.
    for (const std::vector<std::string>& proposal : options.proposals)
      options.max_length = std::max(options.max_length, proposal.size() + proposal.size() / 2);
  }
  options.stop = &interrupted();
  std::atomic<double> baseline_ns{0};
  std::mutex mutex;
  std::string phase;
  options.on_improvement = [&](double base, const search::Evaluation&, const std::vector<std::string>&) {
    baseline_ns = base;
  };
  env::ActionIndex own = 0;
  const std::vector<env::Action> steps = engine::candidateActions(input, space, false, own);
  Json candidates = Json::array();
  options.on_answer = [&](const search::Evaluation& answer) {
    if (answer.cached) return;
    Json names = Json::array();
    for (const env::ActionIndex step : answer.actions) names.push_back(steps[step].name);
    candidates.push_back({{"number", answer.number},
                          {"seconds", answer.seconds},
                          {"time_ns", answer.measured() ? Json(answer.value) : Json()},
                          {"problem", answer.detail},
                          {"steps", std::move(names)}});
  };
  options.on_progress = [&](const search::Statistics& statistics) {
    const std::lock_guard lock(mutex);
    progress.show(tune::progressText(name, phase, baseline_ns, statistics,
                                     tune::leftText(budget, statistics, clock.seconds() - start_s)));
  };
  options.on_phase = [&](std::string_view now) {
    const std::lock_guard lock(mutex);
    phase = now;
    progress.show(fmt::format("{}  {}", name, now));
  };
  Scheduled scheduled;
  ORDO_TRY_ASSIGN(scheduled.tuned, tune::tune(engine, input, space, options));
  ORDO_TRY(dropIdle(engine, input, scheduled.tuned.recipe));
  progress.show(fmt::format("{}  comparing the result with its baseline", name));

  const std::vector<env::Action> actions = scheduled.tuned.recipe.actions;
  ORDO_TRY_ASSIGN(const auto best, engine::walk(engine, input, input.compiled.bytes, actions));
  ORDO_TRY_ASSIGN(const auto baseline,
                  engine::walk(engine, input, input.compiled.bytes, {input.own_baseline}));
  ORDO_TRY_ASSIGN(const Hash128 theirs, baseline->stateHash());
  scheduled.kept = scheduled.tuned.recipe.result_hash == theirs;
  if (!scheduled.kept) {
    timing::SessionExperiment experiment(*baseline, {best.get()}, engine::kKernelTime, clock, kLooks);
    env::Allowance allowance{.budget_s = kClaimSeconds, .seed = request.seed};
    allowance.on_progress = [&](unsigned done, unsigned planned) {
      progress.show(
          fmt::format("{}  comparing the result with its baseline, {} of {} blocks", name, done, planned));
    };
    ORDO_TRY_ASSIGN(scheduled.claim, experiment.ask(0, allowance));
    if (scheduled.claim->verdict != env::Verdict::kBetter)
      ORDO_TRY(keepBaseline(engine, input, *baseline, scheduled));
  }
  env::Session& result = scheduled.kept ? *baseline : *best;
  // What all are compared with has run already, and may take seconds.
  ORDO_TRY_ASSIGN(scheduled.naive_ns, value(result, "plain_ns"));
  // Both of one window, so that they agree with what is said of them.
  if (scheduled.claim && scheduled.claim->baseline) {
    scheduled.baseline_ns = *scheduled.claim->baseline;
  } else {
    ORDO_TRY_ASSIGN(scheduled.baseline_ns, value(*baseline, engine::kKernelTime));
  }
  scheduled.best_ns = scheduled.baseline_ns;
  if (!scheduled.kept) scheduled.best_ns /= std::exp(scheduled.claim->effect->value);
  ORDO_TRY_ASSIGN(scheduled.flops, value(result, "flops"));
  if (request.beside) {
    progress.show(fmt::format(
        "{}  comparing the result with {}", name,
        request.compilers ? "other people's libraries and compilers" : "OpenBLAS, oneDNN and PyTorch"));
    scheduled.beside =
        measureBeside(result, input.compiled.bytes,
                      {.threads = request.threads, .compilers = request.compilers}, clock, request.seed);
  }
  if (request.answers) {
    progress.show(fmt::format("{}  measuring what is said without measuring", name));
    scheduled.answers = measureAnswers(engine, input, *baseline, clock, request.seed);
  }
  ORDO_TRY_ASSIGN(const env::Observation peak, result.observe("peak_mflops"));
  scheduled.threads = request.threads;
  scheduled.peak = 1e-3 * static_cast<double>(peak.int64s().front()) * request.threads;
  scheduled.width = peak.int64s().back();
  ORDO_TRY_ASSIGN(scheduled.files, writeKernel(result, request.out, name, request.emit, request.threads > 1));
  const Json tried{{"format", 1},
                   {"program", scheduled.tuned.recipe.program},
                   {"result", scheduled.tuned.recipe.result_hash.hex()},
                   {"candidates", std::move(candidates)}};
  scheduled.files.push_back((std::filesystem::path(request.out) / (name + ".candidates.json")).string());
  ORDO_TRY(writeFile(scheduled.files.back(), writeJson(tried) + "\n"));
  scheduled.files.push_back((std::filesystem::path(request.out) / (name + ".ordo.json")).string());
  ORDO_TRY(writeFile(scheduled.files.back(), recipe::write(scheduled.tuned.recipe)));
  return scheduled;
}

std::string milliseconds(double ns) { return fmt::format("{:.4g} ms", ns / 1e6); }

void print(const Scheduled& scheduled) {
  const recipe::Recipe& recipe = scheduled.tuned.recipe;
  std::vector<std::string> steps;
  for (const env::Action& action : recipe.actions) steps.push_back(action.name);
  const double reached = scheduled.gflops(scheduled.best_ns);
  fmt::print("{}\n  {:10} {}, {:.1f} GF/s", recipe.program, "result", milliseconds(scheduled.best_ns),
             reached);
  if (scheduled.peak > 0)
    fmt::print(", {:.0f} % of the {:.0f} of {} in {} precision", 100 * reached / scheduled.peak,
               scheduled.peak,
               scheduled.threads == 1 ? "one core" : fmt::format("{} cores", scheduled.threads),
               scheduled.width == 8 ? "double" : "single");
  fmt::print("\n");
  fmt::print("  {:10} {}, {:.1f} GF/s{}\n", recipe.baseline, milliseconds(scheduled.baseline_ns),
             scheduled.gflops(scheduled.baseline_ns), scheduled.kept ? "" : "; " + scheduled.claim->why);
  fmt::print("  {:10} {}, {:.1f} GF/s\n", "naive", milliseconds(scheduled.naive_ns),
             scheduled.gflops(scheduled.naive_ns));
  print(scheduled.beside, scheduled.flops);
  print(scheduled.answers);
  for (const std::string& note : scheduled.tuned.notes) fmt::print("  {:10} {}\n", "note", note);
  if (scheduled.kept && !scheduled.claim)
    fmt::print("  {:10} the baseline: the search found nothing that is faster\n", "kept");
  if (scheduled.kept && scheduled.claim) {
    fmt::print("  {:10} the baseline, for what the search liked best was not shown to be faster: {}\n",
               "kept", scheduled.claim->why);
    fmt::print("  {:10} {}\n", "liked", fmt::join(scheduled.liked, " "));
  }
  fmt::print("  {:10} {}\n", "schedule", steps.empty() ? "(none)" : fmt::format("{}", fmt::join(steps, " ")));
  fmt::print("  {:10} {} sequences in {:.1f} s, {} timed, {} workers died\n", "searched",
             scheduled.tuned.statistics.evaluations, scheduled.tuned.statistics.seconds,
             scheduled.tuned.statistics.measurements, scheduled.tuned.isolation.workers_died);
  fmt::print("  {:10} {}\n  {:10} {}\n  {:10} {}\n", "verified", recipe.verified, "stock",
             fmt::join(recipe.stock, "; "), "wrote", fmt::join(scheduled.files, ", "));
}

Json speedup(const env::Claim& claim) {
  if (!claim.effect) return nullptr;
  return {std::exp(claim.effect->value), std::exp(claim.effect->low), std::exp(claim.effect->high)};
}

Json toJson(const Scheduled& scheduled) {
  Json json = {{"ok", true},
               {"time_ns", scheduled.best_ns},
               {"naive_ns", scheduled.naive_ns},
               {"baseline_ns", scheduled.baseline_ns},
               {"flops", scheduled.flops},
               {"threads", scheduled.threads},
               {"peak_gflops", scheduled.peak},
               {"beside", toJson(scheduled.beside)},
               {"answers", toJson(scheduled.answers)},
               {"notes", scheduled.tuned.notes},
               {"files", scheduled.files},
               {"recipe", Json::parse(recipe::write(scheduled.tuned.recipe))}};
  // Of the result: the baseline is as fast as itself.
  json["speedup"] = scheduled.kept ? Json{1, 1, 1} : speedup(*scheduled.claim);
  if (scheduled.claim && !scheduled.kept) json["claim"] = scheduled.claim->why;
  if (scheduled.claim && scheduled.kept)
    json["not_shown"] = {
        {"steps", scheduled.liked}, {"claim", scheduled.claim->why}, {"speedup", speedup(*scheduled.claim)}};
  return json;
}

}  // namespace

int tuneKernels(const KernelRequest& request) {
  interrupted();
  if (search::find(request.searcher) == nullptr) {
    std::vector<std::string> names;
    for (const search::SearcherInfo* searcher : search::catalog()) names.emplace_back(searcher->name);
    return report({ErrorCode::kInvalidArgument, unknownName("searcher", request.searcher, names)});
  }
  if (request.emit != "obj" && request.emit != "so") {
    return report({ErrorCode::kInvalidArgument,
                   fmt::format("--emit {}: kernels are written as obj or so", request.emit)});
  }
  const Result<std::unique_ptr<engine::Engine>> engine = engine::startForKernels();
  if (!engine) return report(engine.error());
  int code = kOk;
  Json all = Json::array();
  for (const std::string& file : request.files) {
    if (interrupted()) return kInterrupted;
    const Result<Scheduled> scheduled = tuneKernel(**engine, file, request);
    if (!scheduled) {
      code = report(scheduled.error());
      all.push_back({{"file", file}, {"ok", false}, {"error", scheduled.error().message}});
      continue;
    }
    if (scheduled->tuned.verified == tune::Tuned::Checked::kFailed) code = kWrong;
    if (!request.json) print(*scheduled);
    all.push_back(toJson(*scheduled));
  }
  if (request.json) fmt::print("{}\n", writeJson(Json{{"format", 1}, {"results", all}}, 2));
  return code;
}

}  // namespace ordo::cli
