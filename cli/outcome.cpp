#include "cli/outcome.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "cli/choices.h"
#include "cli/passes.h"
#include "cli/run_time.h"
#include "support/symbol.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

// That people are told of.
constexpr std::size_t kSymbols = 20, kFunctions = 20;

std::string rewardsText(const runtime::Rewards& rewards) {
  const std::string said =
      rewards.predicted < 2
          ? "the surrogate said too little to be judged"
          : fmt::format("rank correlation of the surrogate {:.2f} over {} programs, before each was run",
                        rewards.rank_correlation, rewards.predicted);
  return fmt::format("immediate; {}; {} not run: known code", said, rewards.known);
}

std::uint64_t bytesOf(const engine::Image& image, std::string_view section) {
  std::uint64_t bytes = 0;
  for (const ElfSection& one : image.sections) bytes += one.name == section ? one.bytes : 0;
  return bytes;
}

// A part of an image, in bytes.
struct Part {
  std::string name;
  std::uint64_t before, after;
};

// Flash and RAM, then the sections that are in either.
std::vector<Part> partsOf(const engine::Image& before, const engine::Image& after) {
  std::vector<Part> parts{{"flash", before.flash(), after.flash()}, {"ram", before.ram(), after.ram()}};
  for (const engine::Image* image : {&before, &after}) {
    for (const ElfSection& section : image->sections) {
      if (std::ranges::find(parts, section.name, &Part::name) == parts.end())
        parts.push_back({section.name, bytesOf(before, section.name), bytesOf(after, section.name)});
    }
  }
  return parts;
}

void printImage(const tune::Tuned& tuned, std::FILE* to) {
  if (!tuned.image || !tuned.baseline_image) return;
  for (const Part& part : partsOf(*tuned.baseline_image, *tuned.image)) {
    const auto before = static_cast<double>(part.before), after = static_cast<double>(part.after);
    const std::string name = part.name.starts_with('.') ? "  " + part.name : part.name;
    fmt::print(to, "  {:16} {:>10}  {} {} ({})\n", name, grouped(after), tuned.recipe.baseline,
               grouped(before), change(before, after));
  }
}

void printSymbols(const std::vector<engine::SymbolChange>& symbols, std::FILE* to) {
  if (symbols.empty()) return;
  fmt::print(to, "  {:16} {:>8} {:>8} {:>8}\n", "symbols", "before", "after", "change");
  for (std::size_t i = 0; i < std::min(kSymbols, symbols.size()); ++i) {
    const engine::SymbolChange& symbol = symbols[i];
    const auto before = static_cast<std::int64_t>(symbol.before),
               after = static_cast<std::int64_t>(symbol.after);
    fmt::print(to, "  {:16} {:>8} {:>8} {:>+8}  {}\n", "", before, after, after - before,
               symbol.name.empty() ? "(in no symbol)" : demangled(shownSymbol(symbol.name)));
  }
  if (symbols.size() > kSymbols) fmt::print(to, "  {:16} {} more\n", "", symbols.size() - kSymbols);
}

Json symbolsJson(const std::vector<engine::SymbolChange>& symbols) {
  Json json = Json::array();
  for (const engine::SymbolChange& symbol : symbols)
    json.push_back({{"symbol", symbol.name}, {"baseline", symbol.before}, {"tuned", symbol.after}});
  return json;
}

Json imageJson(const tune::Tuned& tuned) {
  Json json = Json::array();
  for (const Part& part : partsOf(*tuned.baseline_image, *tuned.image))
    json.push_back({{"part", part.name}, {"baseline", part.before}, {"tuned", part.after}});
  return json;
}

void printTuned(const Outcome& outcome, bool alone, std::FILE* to) {
  const recipe::Recipe& recipe = outcome.tuned->recipe;
  fmt::print(to, "{}\n", outcome.name);
  for (const recipe::Figure& figure : recipe.figures) {
    if (figure.tuned == 0 && figure.baseline == 0) continue;  // no unwind tables, say
    fmt::print(to, "  {:16} {:>10}  {} {} ({})", metricText(figure.metric),
               figureText(figure.metric, figure.tuned), recipe.baseline,
               figureText(figure.metric, figure.baseline), change(figure.baseline, figure.tuned));
    if (figure.bare) {
      fmt::print(to, "   {} {} ({})", "bare-" + recipe.baseline.substr(recipe.baseline.find('-') + 1),
                 grouped(*figure.bare), change(*figure.bare, figure.tuned));
    }
    fmt::print(to, "\n");
  }
  printImage(*outcome.tuned, to);
  printSymbols(outcome.tuned->symbols, to);
  fmt::print(to, "{}", limitsText(recipe));
  if (recipe.timing) fmt::print(to, "{}{}", timingText(*recipe.timing), growthText(recipe));
  if (outcome.tuned->rewards) fmt::print(to, "  {:16} {}\n", "rewards", rewardsText(*outcome.tuned->rewards));
  for (const tune::Refused& refused : outcome.tuned->refused)
    fmt::print(to, "  {:16} a result of {} passes: {}\n", "refused", refused.actions.size(), refused.why);
  const search::Statistics& statistics = outcome.tuned->statistics;
  fmt::print(to, "  {:16} {} sequences in {:.1f} s, {} passes run, {} measured, {} workers died\n",
             "searched", grouped(static_cast<double>(statistics.evaluations)), statistics.seconds,
             grouped(static_cast<double>(statistics.passes)),
             grouped(static_cast<double>(statistics.measurements)), outcome.tuned->isolation.workers_died);
  fmt::print(to, "  {:16} {}\n", "verified", recipe.verified);
  fmt::print(to, "  {:16} {}\n", "tested", recipe.tested);
  fmt::print(to, "  {:16} {}\n", "wrote", fmt::join(std::vector{outcome.out, outcome.recipe}, ", "));
  fmt::print(to, "  {:16} ordo explain {}\n", "stock commands", outcome.recipe);
  // Of several files only the names.
  if (recipe.actions.size() > 40) {
    fmt::print(to, "\n");
  } else if (alone && outcome.retraced && !recipe.actions.empty()) {
    const std::string choices = choicesText(recipe, kFunctions);
    fmt::print(to, "\n{}\n{}{}", passTable(recipe, &*outcome.retraced, false), choices,
               choices.empty() ? "" : "\n");
  } else {
    std::vector<std::string> names;
    for (const env::Action& action : recipe.actions) names.push_back(action.name);
    fmt::print(to, "  {:16} {}\n", "passes",
               names.empty() ? "(none: the program as it is)" : fmt::format("{}", fmt::join(names, " ")));
    const std::string choices = choicesInShort(recipe);
    if (!choices.empty()) fmt::print(to, "  {:16} {}\n", "functions", choices);
    fmt::print(to, "\n");
  }
}

Json racedJson(const std::vector<runtime::Raced>& raced) {
  Json all = Json::array();
  for (const runtime::Raced& one : raced) {
    Json json = {{"actions", one.actions}, {"pairs", one.pairs}};
    if (one.failure.empty())
      json["score"] = one.score;
    else
      json["failure"] = one.failure;
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace

void printOutcome(const Outcome& outcome, bool alone, std::FILE* to) {
  if (outcome.front)
    fmt::print(to, "{}\n{}\n", outcome.name, frontText(*outcome.front, outcome.front_files));
  else
    printTuned(outcome, alone, to);
}

Json toJson(const Outcome& outcome) {
  Json json = {{"file", outcome.file}, {"ok", outcome.error.empty()}};
  if (!outcome.error.empty()) json["error"] = outcome.error;
  if (outcome.front) json["pareto"] = toJson(*outcome.front, outcome.front_files);
  if (!outcome.tuned) return json;
  const search::Statistics& statistics = outcome.tuned->statistics;
  json["improvement"] = outcome.tuned->improvement();
  json["output"] = outcome.out;
  json["recipe_file"] = outcome.recipe;
  json["statistics"] = {{"seconds", statistics.seconds},
                        {"evaluations", statistics.evaluations},
                        {"passes", statistics.passes},
                        {"measurements", statistics.measurements},
                        {"screened", statistics.screened},
                        {"beyond_limits", statistics.beyond},
                        {"sequence_hits", statistics.sequence_hits},
                        {"duplicate_hits", statistics.duplicate_hits},
                        {"prefix_hits", statistics.prefix_hits},
                        {"divergences", statistics.divergences},
                        {"workers_died", outcome.tuned->isolation.workers_died}};
  if (const std::optional<runtime::Rewards>& rewards = outcome.tuned->rewards) {
    json["rewards"] = {{"known", rewards->known},
                       {"predicted", rewards->predicted},
                       {"rank_correlation", rewards->rank_correlation}};
  }
  if (!outcome.tuned->raced.empty()) json["raced"] = racedJson(outcome.tuned->raced);
  if (outcome.tuned->image && outcome.tuned->baseline_image) json["image"] = imageJson(*outcome.tuned);
  if (!outcome.tuned->symbols.empty()) json["symbols"] = symbolsJson(outcome.tuned->symbols);
  json["notes"] = outcome.tuned->notes;
  json["refused"] = Json::array();
  for (const tune::Refused& refused : outcome.tuned->refused)
    json["refused"].push_back({{"actions", refused.actions}, {"why", refused.why}});
  json["recipe"] = Json::parse(recipe::write(outcome.tuned->recipe));
  if (outcome.retraced) json["passes"] = passesJson(outcome.tuned->recipe, *outcome.retraced);
  return json;
}

}  // namespace ordo::cli
