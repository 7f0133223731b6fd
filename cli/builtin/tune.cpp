// ordo tune: the main job. One or several files, one budget, one summary.
#include "tune/tune.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/outcome.h"
#include "cli/places.h"
#include "cli/prior.h"
#include "cli/run_time.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "cli/tune_request.h"
#include "engine/kernel.h"
#include "engine/knowledge.h"
#include "engine/limits.h"
#include "engine/objective.h"
#include "engine/stock.h"
#include "env/metric.h"
#include "frontend/clang.h"
#include "sandbox/confined.h"
#include "search/evaluation/budget_text.h"
#include "support/clock.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/own_time.h"
#include "support/text.h"
#include "tune/journal.h"
#include "tune/pareto.h"
#include "tune/progress_text.h"
#include "tune/retrace.h"

namespace ordo::cli {
namespace {

constexpr double kNoticeable = 0.2;   // part of a budget
constexpr double kMostSeconds = 300;  // for timing, where nobody said

// What the passes of the result do, and for programs that read it what the policy makes of them ('ordo
// explain' tells people). That it cannot be said is no failure.
void explainResult(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                   const TuneRequest& options, Outcome& outcome) {
  const std::string policy = options.no_policy || !options.json ? "" : engine::policyPath(options.policy);
  Result<tune::Retraced> retraced = tune::retrace(engine, input, space, outcome.tuned->recipe, policy);
  outcome.unexplained = retraced ? retraced->no_policy : retraced.error().message;
  if (retraced) outcome.retraced = *std::move(retraced);
}

// Whether what is made of it can be linked, where it has to be: not to be told so after a search.
Status checkLinks(const engine::Input& input, const TuneRequest& options) {
  if (input.program.tests.empty() && options.output.emit != "exe") return {};
  // Code that only an optimised program can be made into is no fault of the linker's.
  const Result<std::string> object = input.toolchain->emit(input, input.compiled.bytes, {});
  if (!object) return {};
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path program = dir.path() / "program";
  const Status linked = input.toolchain->link(input, *object, program);
  if (linked || input.toolchain != &engine::stockLlvm()) return linked;
  // Nor is what C++ inlines of a template that it takes to be compiled elsewhere, which no library has:
  // clang's own object is without.
  const Result<frontend::Compiled> own = frontend::compileStock(input.source, input.baseline.level);
  return own ? input.toolchain->link(input, own->bytes, program) : linked;
}

// Whether it may be written; says what is to be said of it.
bool accept(const tune::Tuned& tuned, const TuneRequest& options, Outcome& outcome) {
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
                 const TuneRequest& options, const tune::TuneOptions& tune_options, const std::string& name,
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
                                                   const TuneRequest& options, ProgressLine& progress) {
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
Status tuneFile(engine::Engine& engine, const spaces::Space& space, const TuneRequest& options,
                const search::Budget& budget, const std::string& name, Prior& prior, tune::Journal* journal,
                Outcome& outcome) {
  // Run times are measured on a quiet processor, or not at all.
  std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>();
  if (std::isfinite(budget.seconds) && !env::isExperiment(options.objective))
    clock = std::make_shared<OwnTime>(budget.seconds);
  const double start_s = clock->seconds();
  ProgressLine progress(!options.quiet);
  progress.show(fmt::format("{}  compiling", outcome.name));
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(options.baseline));
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(outcome.file, baseline, options.flags));
  outcome.name = name;
  if (!options.quiet && !input.compiled.warnings.empty()) progress.print(input.compiled.warnings);

  ORDO_TRY(checkLinks(input, options));

  std::optional<tune::Reference> reference;  // which counts to the budget
  if (journal != nullptr) reference = tune::referenceOf(engine, input, options.objective);
  tune::TuneOptions tune_options;
  tune_options.proposals = proposalsFor(prior, input, options, progress);
  tune_options.objective = options.objective;
  tune_options.limits = options.limits;
  tune_options.budget = budget;
  if (options.budget_grows) tune_options.most_s = kMostSeconds;
  tune_options.clock = clock;
  tune_options.spent_s = clock->seconds() - start_s;
  tune_options.searcher = search::find(options.searcher);
  tune_options.seed = options.seed;
  tune_options.learned = {engine::knowledgePath(options.knowledge),
                          engine::policyPath(options.policy, options.objective)};
  tune_options.jobs = options.jobs;
  tune_options.allow_unsafe = options.allow_unsafe;
  tune_options.stop = &interrupted();
  if (options.reward == "immediate") tune_options.reward = runtime::Reward::kImmediate;
  tune_options.ram_price = options.ram_price;
  tune_options.symbols = options.symbols;
  tune_options.profile = !options.no_profile;
  tune_options.calls = !options.no_calls;
  tune_options.functions = !options.no_functions;
  if (!options.run.empty()) {
    const std::filesystem::path out = outputPath(options.output, input.program.name);
    ORDO_TRY_ASSIGN(tune_options.run,
                    parseRun(options.run, options.stdin_file,
                             {input.program.name, input.program.source.stem(), out.filename(), out.stem()}));
  }
  if (journal != nullptr) journal->begin(input.program.uri, options.objective, options.baseline, reference);
  std::atomic<double> baseline_value{0};
  tune_options.on_improvement = [&](double base, const search::Evaluation& best,
                                    const std::vector<std::string>& names) {
    baseline_value = base;
    if (journal != nullptr) journal->improved(base, best, names);
    if (options.quiet || progress.visible() || base == 0 || !options.front.empty()) return;
    fmt::print(stderr, "{}: {:.2f} s, sequence {}: {} {} ({})\n", outcome.name, best.seconds, best.number,
               metricText(options.objective), grouped(best.value), change(base, best.value));
  };
  std::mutex phase_mutex;
  std::string phase_now;
  tune_options.on_progress = [&](const search::Statistics& statistics) {
    if (journal != nullptr) journal->progress(statistics);
    const std::lock_guard lock(phase_mutex);
    progress.show(tune::progressText(outcome.name, phase_now, baseline_value, statistics,
                                     tune::leftText(budget, statistics, clock->seconds() - start_s)));
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
  const double over_s = clock->seconds() - start_s - budget.seconds;
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

Result<std::vector<Outcome>> tuneAll(TuneRequest options) {
  chooseDefaults(options);
  ORDO_TRY(checkRequest(options));
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(options.budget));
  if (env::isExperiment(options.objective) && !std::isfinite(budget.seconds))
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
  ORDO_TRY_ASSIGN(std::vector<Subject> subjects, subjectsOf(options.files));
  if (options.front.empty()) {
    for (const std::string& text :
         keepOthers(subjects, options.output, {options.objective, options.baseline, options.flags}))
      note(text);
  }
  ORDO_TRY(preparePlaces(subjects, options.output,
                         options.front.empty() ? 0 : tune::mostPoints(options.front.size())));
  ORDO_TRY_ASSIGN(Prior prior, Prior::open(options.prior, options.model));
  std::unique_ptr<tune::Journal> journal;
  if (!options.journal.empty()) {
    ORDO_TRY_ASSIGN(journal, tune::Journal::create(options.journal));
  }
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
    if (const Status status =
            tuneFile(*engine, space, options, share, subjects[i].name, prior, journal.get(), outcome);
        !status) {
      outcome.error = status.error().message;
      outcome.code = exitCode(status.error().code);
    }
    if (journal != nullptr) journal->end(outcome.error, outcome.tuned ? &outcome.tuned->recipe : nullptr);
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

// Who is timed shares caches and memory with who is timed beside it.
constexpr unsigned kMostTimed = 4;

// Kernels have a backend, a searcher and results of their own.
int runKernels(const TuneRequest& options) {
  if (!std::ranges::all_of(options.files, engine::isKernel))
    return report({ErrorCode::kInvalidArgument, "kernels of MLIR and programs are not tuned in one command"});
  KernelRequest request;
  request.files = options.files;
  request.baseline = options.baseline;
  if (!options.budget.empty()) request.budget = options.budget;
  if (options.searcher != TuneRequest().searcher) request.searcher = options.searcher;
  request.out = options.output.out;
  request.emit = options.output.emit;
  request.space = options.space;
  request.seed = options.seed;
  request.beside = !options.no_peers;
  request.compilers = options.more_peers;
  request.threads = options.threads;
  request.jobs = std::clamp(options.jobs / options.threads, 1u, kMostTimed);
  request.answers = options.answers;
  request.json = options.json;
  request.quiet = options.quiet;
  return tuneKernels(request);
}

int run(const TuneRequest& options) {
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
      auto options = std::make_shared<TuneRequest>();
      addTuneOptions(app, *options);
      return [options, &app](const std::vector<std::string>& flags) {
        ProjectRequest& project = options->project;
        if (!project.commands.build.empty() || !project.compile_commands.empty()) {
          if (app.count("--objective") > 0) project.objective = options->objective;
          project.limits = options->limits;
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
