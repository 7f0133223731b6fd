// ordo explain: what a recipe does, why, and how to do it with stock tools.
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/passes.h"
#include "cli/recipe_file.h"
#include "cli/run_time.h"
#include "cli/terminal.h"
#include "engine/knowledge.h"
#include "support/exit_code.h"
#include "support/json.h"
#include "tune/retrace.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string recipe;
  std::string file;
  std::string policy = "shipped";
  bool odds = false;
  bool json = false;
  bool stock = false;
};

// Passes of which it is said unasked what a policy makes of them: three lines for each are a page.
constexpr std::size_t kFewPasses = 10;
// With sequences of their own, that are named; --json has all.
constexpr std::size_t kFunctions = 30;

bool isFile(const std::string& policy) { return policy != "shipped" && policy != "none"; }

Result<tune::Retraced> retraceRecipe(const recipe::Recipe& recipe, const Options& options) {
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInputFor(recipe, options.file));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  return tune::retrace(*engine, input, recipe, engine::policyPath(options.policy));
}

void printPasses(const recipe::Recipe& recipe, const tune::Retraced* retraced, bool asked) {
  const bool opinions = retraced && !retraced->policy.empty();
  const bool shown = opinions && (asked || recipe.actions.size() <= kFewPasses);
  if (recipe.actions.empty()) fmt::print("\nNo passes: the program as it is was the best\n");
  if (recipe.actions.empty() && !retraced) return;
  fmt::print("\nPasses in order:\n");
  if (!recipe.reasons.empty())
    fmt::print("  saves    what leaving it out would cost, in {}\n", recipe.objective);
  if (retraced) fmt::print("  leaves   instructions of the IR after it\n");
  if (shown) {
    fmt::print(
        "  policy   what {} ({:.8}) makes of it there, whoever found it: its rank,\n"
        "           its probability, and what spoke most for and against it, with the factor on its odds\n",
        retraced->policy, retraced->policy_hash.hex());
  }
  fmt::print("\n{}", passTable(recipe, retraced, shown));
  if (opinions && !shown) fmt::print("\n  what the policy makes of each is said with --odds\n");
  const std::string choices = choicesText(recipe, kFunctions);
  if (!choices.empty()) fmt::print("\n{}", choices);
}

void print(const recipe::Recipe& recipe, const tune::Retraced* retraced, bool odds) {
  const std::string bare = "bare-" + recipe.baseline.substr(recipe.baseline.find('-') + 1);
  fmt::print("{} ({}), tuned for {} against {}\n\n", recipe.program, recipe.source, recipe.objective,
             recipe.baseline);
  fmt::print("  {:16} {:>10} {:>12} {:>10} {:>12} {:>10}\n", "", "tuned", recipe.baseline, "change", bare,
             "change");
  for (const recipe::Figure& figure : recipe.figures) {
    fmt::print("  {:16} {:>10} {:>12} {:>10} {:>12} {:>10}\n", metricText(figure.metric),
               figureText(figure.metric, figure.tuned), figureText(figure.metric, figure.baseline),
               change(figure.baseline, figure.tuned), figure.bare ? grouped(*figure.bare) : "",
               figure.bare ? change(*figure.bare, figure.tuned) : "");
  }
  if (recipe.timing) fmt::print("\n{}", timingText(*recipe.timing));
  if (!recipe.limits.empty()) fmt::print("\n{}", limitsText(recipe));

  printPasses(recipe, retraced, odds);
  fmt::print("\nFound by {} in {:.1f} s and {} sequences (space {}, seed {}, {} workers)\n", recipe.searcher,
             recipe.seconds, grouped(static_cast<double>(recipe.evaluations)), recipe.space, recipe.seed,
             recipe.jobs);
  fmt::print("Verified: {}\nTested:   {}\n", recipe.verified, recipe.tested);
  const bool plugin = std::ranges::any_of(
      recipe.stock, [](const std::string& line) { return line.find("pass-plugin=") != std::string::npos; });
  fmt::print(
      "\nThe same object with {} {} and {}:\n", recipe.backend, recipe.backend_version,
      plugin ? "Ordo's plugin, for profiles and decisions about calls, loops and registers" : "nothing else");
  bool whole = true;
  for (const std::string& line : recipe.stock) {
    const std::string folded = foldedCommand(line);
    fmt::print("  {}\n", folded);
    whole = whole && folded == line;
  }
  if (!whole)
    fmt::print("\n  these lines are not whole, for they name many functions; with --stock they are\n");
}

// A recipe can be explained in part without its program; what is missing is said once.
int run(const Options& options) {
  const Result<recipe::Recipe> recipe = loadRecipe(options.recipe);
  if (!recipe) return report(recipe.error());
  if (options.stock) {
    for (const std::string& line : recipe->stock) fmt::print("{}\n", line);
    return kOk;
  }
  if (isOfKernel(*recipe) && !options.json) return explainKernel(*recipe, options.file);
  if (!recipe->sealed)
    note(fmt::format("{} is of a format without a checksum: nobody vouches for its figures", options.recipe));
  const Result<tune::Retraced> retraced = retraceRecipe(*recipe, options);
  if (!retraced)
    note(fmt::format("what each pass leaves, and what the policy makes of it, is left out: {}",
                     retraced.error().message));
  else if (!retraced->no_policy.empty() && isFile(options.policy))
    return report({retraced->no_policy_code, retraced->no_policy});
  else if (!retraced->no_policy.empty())
    note(fmt::format("what the policy makes of each pass is left out: {}", retraced->no_policy));
  if (!options.json) {
    print(*recipe, retraced ? &*retraced : nullptr, options.odds || isFile(options.policy));
    return kOk;
  }
  Json json = {{"format", 1}, {"recipe", Json::parse(recipe::write(*recipe))}};
  if (retraced) json["passes"] = passesJson(*recipe, *retraced);
  if (Json choices = choicesJson(*recipe); !choices.empty()) json["choices"] = std::move(choices);
  fmt::print("{}\n", writeJson(json, 2));
  return kOk;
}

}  // namespace

extern const CommandInfo explain{
    .name = "explain",
    .summary = "say what a recipe does, why, and how to do it with stock tools",
    .examples =
        "  ordo explain sha256.ordo.json\n"
        "  ordo explain main.ordo.json main.c --json\n"
        "  ordo explain main.ordo.json --stock > main.sh\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("RECIPE", options->recipe, "what 'ordo tune' wrote")->required();
      app.add_option("FILE", options->file, "the program, if it is not where the recipe says");
      app.add_option("--policy", options->policy,
                     "what to ask about each pass: shipped, none or weights of 'ordo train policy'")
          ->capture_default_str();
      app.add_flag("--odds", options->odds, "say what the policy makes of each pass, however many there are");
      app.add_flag("--json", options->json, "print it as JSON");
      app.add_flag("--stock", options->stock, "print only the lines of a shell that make the same object")
          ->excludes("--json");
      return [options](const std::vector<std::string>&) { return run(*options); };
    }};

}  // namespace ordo::cli
