// ordo time: is this program faster than that one? (docs/timing.md)
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/command.h"
#include "cli/recipe_file.h"
#include "cli/terminal.h"
#include "datasets/dataset.h"
#include "runtime/timing.h"
#include "sandbox/confined.h"
#include "search/evaluation/budget_text.h"
#include "support/exit_code.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::vector<std::string> what;
  std::string program;
  std::string against = "O3";
  std::string stdin_file;
  std::string dir = ".";
  std::string budget = "60s";
  std::string measure = "cpu";
  double least_effect_percent = 0.5;
  double timeout_s = 60;
  unsigned runs = 3;
  unsigned repeats = 2;
  int processor = -1;
  std::uint64_t seed = 1;
  bool ignore_output = false;
  bool json = false;
  bool quiet = false;
};

bool isRecipe(const std::string& name) { return name.ends_with(".json"); }

// Two executables, or any number of recipes.
Status checkWhat(const Options& options) {
  const auto recipes = std::ranges::count_if(options.what, isRecipe);
  if (recipes == 0 && options.what.size() == 2) return {};
  if (recipes > 0 && static_cast<std::size_t>(recipes) == options.what.size()) return {};
  return fail(ErrorCode::kInvalidArgument,
              "give it two executables, the baseline first, or recipes (NAME.ordo.json)");
}

Result<runtime::TimingOptions> timingOptions(const Options& options) {
  runtime::TimingOptions timing;
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(options.budget));
  if (!std::isfinite(budget.seconds) || std::isfinite(budget.evaluations) || std::isfinite(budget.passes))
    return fail(ErrorCode::kInvalidArgument, "--budget is a time here: 60s, 2m");
  timing.trial.budget_s = budget.seconds;
  ORDO_TRY_ASSIGN(timing.trial.quantity, timing::parseQuantity(options.measure));
  timing.trial.least_effect = options.least_effect_percent / 100;
  timing.trial.runs = options.runs;
  timing.trial.seed = options.seed;
  timing.trial.stop = &interrupted();
  timing.rig.dir = options.dir;
  timing.rig.compare_output = !options.ignore_output;
  timing.rig.stop = &interrupted();
  if (options.processor >= 0) timing.rig.processor = static_cast<unsigned>(options.processor);
  timing.repeats = options.repeats;
  return timing;
}

Result<std::vector<timing::Comparison>> timeAll(const Options& options, const std::vector<std::string>& args,
                                                ProgressLine& progress) {
  ORDO_TRY(checkWhat(options));
  ORDO_TRY_ASSIGN(runtime::TimingOptions how, timingOptions(options));
  std::string name;
  how.trial.on_block = [&](unsigned done, unsigned planned) {
    progress.show(fmt::format("{}: block {} of at most {}", name, done, planned));
  };
  std::vector<timing::Comparison> comparisons;
  if (!isRecipe(options.what.front())) {
    name = options.what[1];
    std::vector<timing::Input> inputs{
        {.args = args, .input = options.stdin_file, .timeout_s = options.timeout_s}};
    if (!options.program.empty()) {
      ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(options.program));
      inputs = runtime::timingInputs(program);
      how.rig.dir = program.dir;
      if (inputs.empty()) return fail(ErrorCode::kInvalidArgument, "{} has no runs", options.program);
    }
    ORDO_TRY_ASSIGN(timing::Comparison comparison,
                    runtime::timeExecutables(options.what[0], options.what[1], inputs, how));
    comparisons.push_back(std::move(comparison));
    return comparisons;
  }
  ORDO_TRY_ASSIGN(const frontend::Level level, frontend::parseLevel(options.against));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  for (const std::string& file : options.what) {
    if (interrupted()) break;
    ORDO_TRY_ASSIGN(const recipe::Recipe recipe, loadRecipe(file));
    name = recipe.program;
    progress.show(name + ": building both");
    Result<timing::Comparison> comparison = runtime::timeRecipe(*engine, recipe, options.program, level, how);
    if (!comparison) return fail(std::move(comparison).error().context(file));
    comparisons.push_back(std::move(*comparison));
  }
  return comparisons;
}

int run(const Options& options, const std::vector<std::string>& args) {
  interrupted();
  ProgressLine progress(!options.quiet && !options.json);
  Result<std::vector<timing::Comparison>> comparisons = timeAll(options, args, progress);
  progress.clear();
  if (!comparisons) {
    const int code = report(comparisons.error());
    return interrupted() ? kInterrupted : code;
  }
  if (!options.quiet) {
    for (const std::string& gap : sandbox::confinementGaps()) note(gap);
  }
  timing::adjust(*comparisons);
  Json list = Json::array();
  bool any_void = false;
  for (const timing::Comparison& comparison : *comparisons) {
    any_void = any_void || comparison.verdict() == timing::Verdict::kVoid;
    if (options.json) {
      list.push_back(timing::toJson(comparison));
    } else {
      fmt::print("{}", timing::toText(comparison));
    }
  }
  if (options.json) fmt::print("{}\n", writeJson(list, 2));
  if (interrupted()) return kInterrupted;
  return any_void ? kWrong : kOk;
}

}  // namespace

extern const CommandInfo time{
    .name = "time",
    .summary = "whether a program is faster than another, or a recipe than clang -O3, with an interval",
    .examples =
        "  ordo time ./before ./after -- --level 9 big.txt\n"
        "  ordo time ./before ./after --stdin input.txt --budget 30s --json\n"
        "  ordo time sha256.ordo.json            against what clang -O3 makes of the same program\n"
        "  ordo time ./before ./after --program suite/sha256     on the runs of its program.toml\n"
        "  ordo time *.ordo.json --against Oz    several: claims are corrected for their number\n"
        "\n"
        "The verdict is faster, slower, no difference shown, or void (exit code 1) where the machine\n"
        "was too restless to tell. What stands after '--' are arguments for both programs.\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("WHAT", options->what, "baseline and candidate, or recipes")->required();
      app.add_option("--program", options->program,
                     "of a recipe, if it is not where the recipe says; of executables, the one whose runs "
                     "(program.toml) they are timed on");
      app.add_option("--against", options->against, "clang's level that recipes are timed against")
          ->capture_default_str();
      app.add_option("--stdin", options->stdin_file, "a file for their standard input");
      app.add_option("--dir", options->dir,
                     "the folder whose files they find, to read, in the one that each run has of its own")
          ->capture_default_str();
      app.add_option("--budget", options->budget, "how long a trial may take: 60s, 2m")
          ->capture_default_str();
      app.add_option("--measure", options->measure, "cpu (user and system), user, wall, cycles, instructions")
          ->capture_default_str();
      app.add_option("--least-effect", options->least_effect_percent,
                     "in percent: a difference is claimed if it is surely more")
          ->capture_default_str()
          ->check(CLI::Range(0.0, 50.0));
      app.add_option("--runs", options->runs, "in a row, of which the least counts")
          ->capture_default_str()
          ->check(CLI::Range(1, 100));
      app.add_option("--repeats", options->repeats, "of a void trial")
          ->capture_default_str()
          ->check(CLI::Range(0, 20));
      app.add_option("--timeout", options->timeout_s, "of one run, in seconds")
          ->capture_default_str()
          ->check(CLI::Range(0.01, 3600.0));
      app.add_option("--processor", options->processor, "to run on [the quietest]")
          ->check(CLI::Range(0, 4095));
      app.add_option("--seed", options->seed, "of the order of runs")->capture_default_str();
      app.add_flag("--ignore-output", options->ignore_output,
                   "for programs that print what differs each time");
      app.add_flag("--json", options->json, "print everything as JSON, also the pairs");
      app.add_flag("-q,--quiet", options->quiet, "no progress, no notes");
      return [options](const std::vector<std::string>& args) { return run(*options, args); };
    }};

}  // namespace ordo::cli
