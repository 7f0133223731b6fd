// ordo explain: what a recipe does, why, and how to do it with stock tools.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/recipe_file.h"
#include "cli/terminal.h"

namespace ordo::cli {
namespace {

void print(const recipe::Recipe& recipe) {
  const std::string bare = "bare-" + recipe.baseline.substr(recipe.baseline.find('-') + 1);
  fmt::print("{} ({}), tuned for {} against {}\n\n", recipe.program, recipe.source, recipe.objective,
             recipe.baseline);
  fmt::print("  {:16} {:>10} {:>12} {:>10} {:>12} {:>10}\n", "", "tuned", recipe.baseline, "change", bare,
             "change");
  for (const recipe::Figure& figure : recipe.figures) {
    fmt::print("  {:16} {:>10} {:>12} {:>10} {:>12} {:>10}\n", figure.metric, grouped(figure.tuned),
               grouped(figure.baseline), change(figure.baseline, figure.tuned), grouped(figure.bare),
               change(figure.bare, figure.tuned));
  }

  fmt::print("\nPasses in order, with what leaving each out would cost ({}):\n", recipe.objective);
  if (recipe.actions.empty()) fmt::print("  none: the program as it is was the best\n");
  std::vector<std::optional<double>> saves(recipe.actions.size());
  double largest = 1;
  for (const recipe::Reason& reason : recipe.reasons) {
    saves[static_cast<std::size_t>(reason.action)] = reason.saves;
    largest = std::max(largest, reason.saves);
  }
  for (std::size_t i = 0; i < recipe.actions.size(); ++i) {
    const auto width = static_cast<std::size_t>(std::max(0.0, saves[i].value_or(0)) / largest * 20 + 0.5);
    fmt::print("  {:>8}  {:20}  {}\n", saves[i] ? grouped(*saves[i]) : "?", std::string(width, '#'),
               recipe.actions[i].name);
  }

  fmt::print("\nFound by {} in {:.1f} s and {} sequences (space {}, seed {}, {} workers)\n", recipe.searcher,
             recipe.seconds, grouped(static_cast<double>(recipe.evaluations)), recipe.space, recipe.seed,
             recipe.jobs);
  fmt::print("Verified: {}\nTested:   {}\n", recipe.verified, recipe.tested);
  fmt::print("\nThe same object with {} {} and nothing else:\n", recipe.backend, recipe.backend_version);
  for (const std::string& line : recipe.stock) fmt::print("  {}\n", line);
}

}  // namespace

extern const CommandInfo explain{.name = "explain",
                                 .summary = "say what a recipe does, why, and how to do it with stock tools",
                                 .examples = "  ordo explain sha256.ordo.json\n",
                                 .takes_flags = false,
                                 .setup = [](CLI::App& app) -> Command {
                                   auto file = std::make_shared<std::string>();
                                   app.add_option("RECIPE", *file, "what 'ordo tune' wrote")->required();
                                   return [file](const std::vector<std::string>&) {
                                     const Result<recipe::Recipe> recipe = loadRecipe(*file);
                                     if (!recipe) return report(recipe.error());
                                     print(*recipe);
                                     return kOk;
                                   };
                                 }};

}  // namespace ordo::cli
