// ordo tune: the main job. One or several files, one budget, one summary.
#include "tune/tune.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/kernel.h"
#include "cli/outcome.h"
#include "cli/output.h"
#include "cli/places.h"
#include "cli/prior.h"
#include "cli/progress_text.h"
#include "cli/project.h"
#include "cli/run_time.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "engine/kernel.h"
#include "engine/knowledge.h"
#include "engine/limits.h"
#include "engine/objective.h"
#include "engine/stock.h"
#include "frontend/clang.h"
#include "sandbox/confined.h"
#include "search/catalog/catalog.h"
#include "search/evaluation/budget_text.h"
#include "support/clock.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"
#include "tune/pareto.h"
#include "tune/retrace.h"

namespace ordo::cli {
namespace {

constexpr double kNoticeable = 0.2;  // part of a budget

struct Options {
  std::vector<std::string> files;
  ProjectRequest project;          // instead of files
  std::vector<std::string> flags;  // after "--"
  std::string objective = "text_bytes";
  std::string pareto;              // instead of an objective
  std::vector<std::string> front;  // its metrics
  std::vector<std::string> limits;
  std::string baseline;  // "" is what suits the objective, as are budget and space
  std::string budget;
  std::string searcher = "policy";
  std::string space;
  std::string reward;  // "" is final
  bool no_profile = false;
  std::string run;
  std::string stdin_file;
  std::string knowledge = "shipped";
  std::string policy = "shipped";
  bool no_policy = false;
  std::string prior;  // "" is none
  std::string model = "shipped";
  OutputOptions output;
  std::uint64_t seed = 1;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool allow_unsafe = false;
  bool json = false;
  bool quiet = false;
};

// What the passes of the result do, and for programs that read it what the policy makes of them ('ordo
// explain' tells people). That it cannot be said is no failure.
void explainResult(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                   const Options& options, Outcome& outcome) {
  const std::string policy = options.no_policy || !options.json ? "" : engine::policyPath(options.policy);
  Result<tune::Retraced> retraced = tune::retrace(engine, input, space, outcome.tuned->recipe, policy);
  outcome.unexplained = retraced ? retraced->no_policy : retraced.error().message;
  if (retraced) outcome.retraced = *std::move(retraced);
}

// Whether what is made of it can be linked, where it has to be: not to be told so after a search.
Status checkLinks(const engine::Input& input, const Options& options) {
  if (input.program.tests.empty() && options.output.emit != "exe") return {};
  // Code that only an optimised program can be made into is no fault of the linker's.
  const Result<std::string> object =
      frontend::emitObject(input.compiled.bytes, input.baseline.level, input.source);
  if (!object) return {};
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  return frontend::linkExecutable(*object, input.source, input.program.ldflags, dir.path() / "program");
}

// Whether it may be written; says what is to be said of it.
bool accept(const tune::Tuned& tuned, const Options& options, Outcome& outcome) {
  if (!options.quiet) {
    for (const std::string& text : tuned.notes) note(text);
  }
  const bool failed = tuned.tested == tune::Tuned::Checked::kFailed;
  if (!failed && tuned.verified != tune::Tuned::Checked::kFailed) return true;
  outcome.code = kWrong;
  outcome.error = fmt::format("even the baseline, which is what clang makes, is refused: {}",
                              failed ? tuned.recipe.tested : tuned.recipe.verified);
  return false;
}

Status tuneFront(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                 const Options& options, const tune::TuneOptions& tune_options, const std::string& name,
                 Outcome& outcome) {
  ORDO_TRY_ASSIGN(outcome.front, tune::findFront(engine, input, space, options.front, tune_options));
  for (const tune::Tuned& point : outcome.front->points) {
    if (!accept(point, options, outcome)) return {};
  }
  ORDO_TRY_ASSIGN(outcome.front_files, writeFront(engine, input, *outcome.front, options.output, name));
  return {};
}

// What the search is to begin with. That nothing is proposed is no reason not to search.
std::vector<std::vector<std::string>> proposalsFor(Prior& prior, const engine::Input& input,
                                                   const Options& options, ProgressLine& progress) {
  if (options.prior.empty()) return {};
  progress.show(fmt::format("{}  asking for proposals", input.program.name));
  agent::OpenRequest request;
  request.file = input.program.uri;
  request.flags = options.flags;
  request.objective = options.objective;
  request.baseline = options.baseline;
  request.space = options.space;
  request.seed = options.seed;
  Result<std::vector<std::vector<std::string>>> found = prior.sequences(input.program.uri, request);
  const std::size_t count = found ? found->size() : 0;
  if (!options.quiet && count == 0)
    progress.print(fmt::format("{}: searching without a prior: {}", input.program.name,
                               found ? "nothing that can be tried was proposed" : found.error().message));
  return std::move(found).value_or(std::vector<std::vector<std::string>>{});
}

// Tunes one file with its share of the budget and writes what was asked for.
Status tuneFile(engine::Engine& engine, const spaces::Space& space, const Options& options,
                const search::Budget& budget, const std::string& name, Prior& prior, Outcome& outcome) {
  const SteadyClock clock;
  const double start_s = clock.seconds();
  ProgressLine progress(!options.quiet);
  progress.show(fmt::format("{}  compiling", outcome.name));
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(options.baseline));
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(outcome.file, baseline, options.flags));
  outcome.name = name;
  if (!options.quiet && !input.compiled.warnings.empty()) progress.print(input.compiled.warnings);

  ORDO_TRY(checkLinks(input, options));

  tune::TuneOptions tune_options;
  tune_options.proposals = proposalsFor(prior, input, options, progress);
  tune_options.objective = options.objective;
  tune_options.limits = options.limits;
  tune_options.budget = budget;
  tune_options.spent_s = clock.seconds() - start_s;
  tune_options.searcher = search::find(options.searcher);
  tune_options.seed = options.seed;
  tune_options.learned = {engine::knowledgePath(options.knowledge),
                          engine::policyPath(options.policy, options.objective)};
  tune_options.jobs = options.jobs;
  tune_options.allow_unsafe = options.allow_unsafe;
  tune_options.stop = &interrupted();
  if (options.reward == "immediate") tune_options.reward = runtime::Reward::kImmediate;
  tune_options.profile = !options.no_profile;
  if (!options.run.empty()) {
    const std::filesystem::path out = outputPath(options.output, input.program.name);
    ORDO_TRY_ASSIGN(tune_options.run,
                    parseRun(options.run, options.stdin_file,
                             {input.program.name, input.program.source.stem(), out.filename(), out.stem()}));
  }
  std::atomic<double> baseline_value{0};
  tune_options.on_improvement = [&](double base, const search::Evaluation& best) {
    baseline_value = base;
    if (options.quiet || progress.visible() || base == 0 || !options.front.empty()) return;
    fmt::print(stderr, "{}: {:.2f} s, sequence {}: {} {} ({})\n", outcome.name, best.seconds, best.number,
               metricText(options.objective), grouped(best.value), change(base, best.value));
  };
  std::mutex phase_mutex;
  std::string phase_now;
  tune_options.on_progress = [&](const search::Statistics& statistics) {
    const std::lock_guard lock(phase_mutex);
    progress.show(progressText(outcome.name, phase_now, baseline_value, statistics,
                               leftText(budget, statistics, clock.seconds() - start_s)));
  };
  tune_options.on_phase = [&](std::string_view phase) {
    const std::lock_guard lock(phase_mutex);
    phase_now = phase;
    progress.show(fmt::format("{}  {}", outcome.name, phase));
  };
  if (!options.front.empty()) return tuneFront(engine, input, space, options, tune_options, name, outcome);
  ORDO_TRY_ASSIGN(outcome.tuned, tune::tune(engine, input, space, tune_options));
  progress.clear();
  const tune::Tuned& tuned = *outcome.tuned;
  if (!accept(tuned, options, outcome)) return {};
  // Of several files only the names of passes are printed, and of a budget that is over there is no more.
  const double over_s = clock.seconds() - start_s - budget.seconds;
  if ((options.json || options.files.size() == 1) && !(over_s > kNoticeable * budget.seconds))
    explainResult(engine, input, space, options, outcome);
  outcome.out = outputPath(options.output, name);
  ORDO_TRY(writeResult(engine, input, engine::emissionSource(input.source, tuned.recipe.actions),
                       tuned.bitcode, tuned.object, options.output.emit, outcome.out));
  if (!options.quiet) noteWhatIrLacks(tuned.recipe.actions, options.output.emit);
  outcome.recipe = recipePath(options.output, name);
  return writeFile(outcome.recipe, recipe::write(tuned.recipe));
}

void printSummary(const std::vector<Outcome>& outcomes) {
  std::vector<recipe::Recipe> recipes;
  for (const Outcome& outcome : outcomes) {
    if (outcome.error.empty() && outcome.tuned) recipes.push_back(outcome.tuned->recipe);
  }
  fmt::print("{}", summaryTable(recipes, outcomes.size() - recipes.size()));
}

Status checkOptions(const Options& options) {
  if (search::find(options.searcher) == nullptr) {
    std::vector<std::string> names;
    for (const search::SearcherInfo* searcher : search::catalog()) names.emplace_back(searcher->name);
    return fail(ErrorCode::kInvalidArgument, "{}", unknownName("searcher", options.searcher, names));
  }
  if (options.jobs < 1 || options.jobs > 256)
    return fail(ErrorCode::kInvalidArgument, "--jobs should be 1 to 256");
  ORDO_TRY(engine::parseBaseline(options.baseline));
  if (options.objective != recipe::kRuntime && !(options.run.empty() && options.stdin_file.empty()))
    return fail(ErrorCode::kInvalidArgument, "--run and --stdin are for --objective runtime");
  if (options.run.empty() && !options.stdin_file.empty())
    return fail(ErrorCode::kInvalidArgument, "--stdin goes with --run './prog ARGUMENTS'");
  if (options.objective != recipe::kRuntime && !options.reward.empty())
    return fail(ErrorCode::kInvalidArgument, "--reward is for --objective runtime: others need no clock");
  if (options.objective != recipe::kRuntime && options.no_profile)
    return fail(ErrorCode::kInvalidArgument, "--no-profile is for --objective runtime: others run nothing");
  if (options.objective == recipe::kRuntime && !options.prior.empty())
    return fail(ErrorCode::kInvalidArgument, "--prior is for metrics: what is faster is drafted otherwise");
  if (!options.reward.empty() && options.reward != "final" && options.reward != "immediate")
    return fail(ErrorCode::kInvalidArgument, "{}",
                unknownName("reward", options.reward, {"final", "immediate"}));
  return checkOutput(options.output);
}

// What suits the objective, where nothing was said.
void chooseDefaults(Options& options) {
  const bool timed = options.objective == recipe::kRuntime;
  if (options.baseline.empty()) options.baseline = timed ? "clang-O3" : "clang-Oz";
  if (options.budget.empty()) options.budget = timed ? "90s" : "10s";
}

// The metrics of --pareto, and the space.
Status chooseSpace(const env::BackendInfo& info, Options& options) {
  if (!options.pareto.empty()) {
    ORDO_TRY_ASSIGN(options.front, tune::parseFront(info, options.pareto));
    options.objective = options.front.front();
  }
  const auto of_bytes = std::ranges::find(options.front, "text", engine::usualSpace);
  if (options.space.empty())
    options.space = engine::usualSpace(of_bytes == options.front.end() ? options.objective : *of_bytes);
  return {};
}

// That the shipped policy is not to be had, or does not fit, is no reason not to tune: search needs none. A
// file that somebody named is what they want, or an error.
Status choosePolicy(const env::BackendInfo& info, const spaces::Space& space, Options& options) {
  const bool time = options.objective == recipe::kRuntime;
  const bool named = !options.no_policy && options.policy != "shipped" && options.policy != "none";
  if (!options.searcher.starts_with("policy") && !time) {
    if (named)
      ORDO_TRY(
          engine::loadPolicy(engine::policyPath(options.policy, options.objective), info, space.actions));
    return {};
  }
  const bool nothing_to_draft = time && space.actions.size() < 2;
  if (!options.no_policy && options.policy != "none" && !nothing_to_draft) {
    const std::string path = engine::policyPath(options.policy, options.objective);
    const auto policy = engine::loadPolicy(path, info, space.actions);
    if (policy) return {};
    if (named) return fail(Error(policy.error()));
    note(fmt::format("searching without a policy{}: {}", time ? "" : ", by evolutionary",
                     policy.error().message));
  }
  options.policy = "none";
  options.searcher = "evolutionary";
  return {};
}

// What a step of a session may take: more of large files, whose baseline is one step, and more on the wall
// clock than of the processor, which others want too.
sandbox::Limits limitsFor(const std::vector<std::string>& files) {
  constexpr double kSecondsPerByte = 30e-6, kWallPerCpu = 4;
  sandbox::Limits limits;
  for (const std::string& file : files) {
    std::error_code none;
    const std::uintmax_t bytes =
        std::filesystem::is_regular_file(file, none) ? std::filesystem::file_size(file, none) : 0;
    if (!none) limits.cpu_s = std::max(limits.cpu_s, kSecondsPerByte * static_cast<double>(bytes));
  }
  limits.wall_s = kWallPerCpu * limits.cpu_s;
  return limits;
}

Result<std::vector<Outcome>> tuneAll(Options options) {
  chooseDefaults(options);
  ORDO_TRY(checkOptions(options));
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(options.budget));
  if (options.objective == recipe::kRuntime && !std::isfinite(budget.seconds))
    return fail(ErrorCode::kInvalidArgument, "--budget is a time for the objective runtime: 90s, 5m");
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine,
                  engine::Engine::start({.limits = limitsFor(options.files)}));
  if (!engine->ledgerProblem().empty()) note(engine->ledgerProblem());
  ORDO_TRY(chooseSpace(engine->info(), options));
  ORDO_TRY(engine::checkTunable(engine->info(), options.objective));
  ORDO_TRY(engine::checkLimits(engine->info(), options.objective, options.limits));
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), options.space, manifest));
  if (!space.unsafe.empty()) {
    note(fmt::format("{} of {} actions of the space {} are unsafe and {}", space.unsafe.size(),
                     space.actions.size(), space.name,
                     options.allow_unsafe ? "used all the same" : "left out (--allow-unsafe uses them)"));
  }
  for (const std::string& gap : sandbox::confinementGaps()) note(gap);
  ORDO_TRY(choosePolicy(engine->info(), space, options));
  ORDO_TRY_ASSIGN(const std::vector<Subject> subjects, subjectsOf(options.files));
  ORDO_TRY(preparePlaces(subjects, options.output,
                         options.front.empty() ? 0 : tune::mostPoints(options.front.size())));
  ORDO_TRY_ASSIGN(Prior prior, Prior::open(options.prior, options.model));
  const SteadyClock clock;
  const double start = clock.seconds();
  std::vector<Outcome> outcomes;
  search::Statistics used;
  std::string said;
  for (std::size_t i = 0; i < options.files.size() && !interrupted(); ++i) {
    const search::Budget share = search::shareOfRest(budget,
                                                     {.seconds = clock.seconds() - start,
                                                      .evaluations = static_cast<double>(used.evaluations),
                                                      .passes = static_cast<double>(used.passes)},
                                                     options.files.size() - i);
    Outcome outcome;
    outcome.file = outcome.name = options.files[i];
    if (const Status status = tuneFile(*engine, space, options, share, subjects[i].name, prior, outcome);
        !status) {
      outcome.error = status.error().message;
      outcome.code = exitCode(status.error().code);
    }
    if (!options.quiet && outcome.unexplained != std::exchange(said, outcome.unexplained) &&
        !outcome.unexplained.empty())
      note(fmt::format("what the policy makes of each pass is left out: {}", outcome.unexplained));
    if (outcome.tuned) used += outcome.tuned->statistics;
    if (outcome.front) used += outcome.front->statistics;
    if (!outcome.error.empty())
      fmt::print(stderr, "ordo: {}\n", outcome.error);
    else if (!options.json)
      printOutcome(outcome, options.files.size() == 1, options.output.out == "-" ? stderr : stdout);
    outcomes.push_back(std::move(outcome));
  }
  if (const std::string& problem = engine->backend().ledger().problem(); !problem.empty()) note(problem);
  return outcomes;
}

// Kernels have a backend, a searcher and results of their own.
int runKernels(const Options& options) {
  if (!std::ranges::all_of(options.files, engine::isKernel))
    return report({ErrorCode::kInvalidArgument, "kernels of MLIR and programs are not tuned in one command"});
  KernelRequest request;
  request.files = options.files;
  request.baseline = options.baseline;
  if (!options.budget.empty()) request.budget = options.budget;
  if (options.searcher != Options().searcher) request.searcher = options.searcher;
  request.out = options.output.out;
  request.seed = options.seed;
  request.json = options.json;
  request.quiet = options.quiet;
  return tuneKernels(request);
}

int run(const Options& options) {
  interrupted();
  if (options.files.empty())
    return report({ErrorCode::kInvalidArgument,
                   "what is to be tuned? give a FILE, --build 'make' or --compile-commands FILE"});
  const Result<std::vector<Outcome>> outcomes = tuneAll(options);
  if (!outcomes) return report(outcomes.error());
  if (options.json) {
    Json list = Json::array();
    for (const Outcome& outcome : *outcomes) list.push_back(toJson(outcome));
    fmt::print("{}\n", writeJson(Json{{"format", 1}, {"results", list}}, 2));
  } else if (options.files.size() > 1) {
    printSummary(*outcomes);
  }
  for (const Outcome& outcome : *outcomes) {
    if (outcome.code != kOk) return outcome.code;
  }
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

extern const CommandInfo tune{
    .name = "tune",
    .summary = "find a better pass order for a program, and prove the result",
    .examples =
        "  ordo tune suite/sha256\n"
        "  ordo tune main.c --budget 30s -o main.o -- -I inc -DNDEBUG\n"
        "  ordo tune suite/*/ --budget 2m --objective ir_instructions -o out/\n"
        "  ordo tune a.bc --baseline clang-O3 --emit ll -o -\n"
        "  ordo tune main.c --objective runtime --run './main big.txt' -- -lm\n"
        "  ordo tune suite/stencil --objective runtime --limit text_bytes=+5%\n"
        "  ordo tune suite/sha256 --objective ir_instructions=0.7+text_bytes=0.3\n"
        "  ordo tune suite/sha256 --pareto ir_instructions,text_bytes -o front\n"
        "  ordo tune suite/crc32 --prior agent --model hf:build/agent/rl/model --budget 30s\n"
        "  ordo tune --build 'make -j2' --clean 'make clean' --check 'make test' --budget 5m\n"
        "  ordo tune matmul.mlir --budget 30s -o out\n"
        "  ordo tune --compile-commands build/compile_commands.json --objective text_bytes\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("FILE", options->files,
                     "C, C++, .ll or .bc files, folders with a program.toml, or kernels of linalg in .mlir");
      app.add_option("--objective", options->objective,
                     "what to minimise: a metric (ordo list metrics), runtime, or several metrics at once, "
                     "each with how much it matters: ir_instructions=0.7+text_bytes=0.3")
          ->capture_default_str();
      app.add_option("--pareto", options->pareto,
                     "instead of one objective several: ir_instructions,text_bytes; up to eight results, of "
                     "which none betters another in all of them, and a drawing");
      app.add_option("--baseline", options->baseline,
                     "what to compare with, and never be worse than (ordo list baselines) [clang-Oz; "
                     "clang-O3 for runtime]");
      app.add_option(
             "--limit", options->limits,
             "what another metric may be: text_bytes=+5% of the baseline, or text_bytes=20000; may be "
             "given several times")
          ->allow_extra_args(false);
      app.add_option("--budget", options->budget,
                     "for all files together: 10s, 2m, 2000evals, 30s,5000evals [10s; 90s for runtime; 60s "
                     "for --build]");
      app.add_option("--run", options->run,
                     "for runtime: how the program is run, './prog ARGUMENTS', in the current folder [as its "
                     "tests do]");
      app.add_option(
          "--reward", options->reward,
          "for runtime: final, so that nothing is timed before the end, or immediate, so that what "
          "was timed says what to try next [final]");
      app.add_flag("--no-profile", options->no_profile,
                   "for runtime: do not let a run say which way branches go");
      app.add_option("--stdin", options->stdin_file, "for --run: a file for its standard input");
      app.add_option("--searcher", options->searcher, "how to search (ordo list searchers)")
          ->capture_default_str();
      app.add_option(
          "--space", options->space,
          "which actions to use (ordo list spaces) [text for bytes, speed for runtime, else size]");
      app.add_option("--knowledge", options->knowledge,
                     "of other programs, for searchers that use it: shipped, none or a file of 'ordo mine'")
          ->capture_default_str();
      app.add_option("--policy", options->policy,
                     "for the searcher policy, and for drafts for runtime: shipped, none or weights of "
                     "'ordo train policy'")
          ->capture_default_str();
      app.add_flag("--no-policy", options->no_policy, "search without one, by evolutionary");
      app.add_option("--prior", options->prior,
                     "begin with what is proposed for each program: agent, which asks --model, or a file of "
                     "'ordo agent propose'");
      app.add_option("--model", options->model, "for --prior agent: hf:FOLDER, gguf:FILE or shipped")
          ->capture_default_str();
      app.add_option("--emit", options->output.emit, "obj, bc, ll, asm or exe")->capture_default_str();
      app.add_option("-o,--output", options->output.out,
                     "where to write the result; a folder for several files; - for standard output [NAME.o]");
      app.add_option("--recipe", options->output.recipe, "where to write the recipe [NAME.ordo.json]");
      app.add_option("--seed", options->seed,
                     "of chance; with --jobs 1 and a budget in evals the same seed gives the same result")
          ->capture_default_str();
      app.add_option("-j,--jobs", options->jobs, "workers")->capture_default_str();
      app.add_flag("--allow-unsafe", options->allow_unsafe, "use actions that the manifest warns of");
      app.add_flag("--json", options->json, "print the results as JSON");
      app.add_flag("-q,--quiet", options->quiet, "no progress, no notes");
      addProjectOptions(app, options->project);
      return [options, &app](const std::vector<std::string>& flags) {
        ProjectRequest& project = options->project;
        if (!project.commands.build.empty() || !project.compile_commands.empty()) {
          if (app.count("--objective") > 0) project.objective = options->objective;
          project.budget = options->budget;
          project.jobs = options->jobs;
          project.json = options->json;
          project.quiet = options->quiet;
          return tuneProject(project);
        }
        if (std::ranges::any_of(options->files, engine::isKernel)) return runKernels(*options);
        options->flags = flags;
        if (!options->pareto.empty() && app.count("--objective") > 0)
          return report({ErrorCode::kInvalidArgument,
                         "--pareto is instead of --objective: it names all metrics to be made small"});
        options->output.several = options->files.size() > 1 || !options->pareto.empty();
        return run(*options);
      };
    }};

}  // namespace ordo::cli
