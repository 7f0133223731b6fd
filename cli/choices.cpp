// choosersOf() joins what the action says, which is the truth, with what the recipe knows of single
// functions: a recipe that somebody else wrote may name others there.
#include "cli/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "env/choices.h"
#include "support/symbol.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

constexpr std::size_t kWidest = 100;
constexpr std::size_t kInShort = 3;  // functions

// A command that is longer names functions only as far as kNamed; pipelines of clang's own are shorter.
constexpr std::size_t kLongCommand = 6000, kNamed = 8;

struct Chooser {
  std::string function;  // as shownSymbol() has it
  std::size_t sequence = 0;
  std::optional<double> saves;
};

std::optional<env::Choices> choicesIn(const env::Action& action) {
  if (action.kind != env::kChoicesKind) return std::nullopt;
  const Result<env::Choices> choices = env::parseChoices(action.text, action.name);
  return choices ? std::optional(*choices) : std::nullopt;
}

std::vector<Chooser> choosersOf(const env::Choices& choices, const recipe::Recipe& recipe) {
  std::map<std::string, double> known;
  for (const recipe::FunctionSaving& saving : recipe.functions) known.emplace(saving.function, saving.saves);
  std::vector<Chooser> rows;
  for (const auto& [name, sequence] : choices.functions) {
    Chooser& row = rows.emplace_back(shownSymbol(name), sequence, std::nullopt);
    if (const auto found = known.find(row.function); found != known.end()) row.saves = found->second;
  }
  // What is not known comes last.
  std::ranges::stable_sort(rows, [](const Chooser& a, const Chooser& b) { return a.saves > b.saves; });
  return rows;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// `text`, which has no spaces, broken behind commas and semicolons.
std::string brokenList(std::string_view head, std::string_view text) {
  std::string result(head);
  std::size_t column = head.size();
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(",;");
    const std::string_view item = text.substr(0, end == std::string_view::npos ? end : end + 1);
    if (column > head.size() && column + item.size() > kWidest) {
      result += "\n" + std::string(head.size(), ' ');
      column = head.size();
    }
    result += item;
    column += item.size();
    text.remove_prefix(item.size());
  }
  return result + "\n";
}

// Where the first word of a shell's line ends; shellQuote() wrote it.
std::size_t wordEnd(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!quoted && line[i] == '\\')
      ++i;
    else if (line[i] == '\'')
      quoted = !quoted;
    else if (line[i] == ' ' && !quoted)
      return i;
  }
  return line.size();
}

std::string functionLine(const Chooser& row) {
  const std::string start =
      fmt::format("{:>10}  {:>8}  {}", row.saves ? grouped(*row.saves) : "?", row.sequence, row.function);
  const std::string shown = demangled(row.function);
  if (shown == row.function) return start + "\n";
  const bool fits = start.size() + 2 + shown.size() <= kWidest;
  return fmt::format("{}{}{}\n", start, fits ? "  " : "\n" + std::string(24, ' '), shown);
}

std::string textOf(const env::Choices& choices, std::size_t number, const recipe::Recipe& recipe,
                   std::size_t most) {
  const std::vector<Chooser> rows = choosersOf(choices, recipe);
  std::string text = fmt::format(
      "Pass {} gives {} a sequence of their own; what that saves of each, in {}:\n\n{:>10}  {:>8}  {}\n",
      number, counted(rows.size(), "function"), recipe.objective, "saves", "sequence", "function");
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) text += functionLine(rows[i]);
  if (rows.size() > most) text += fmt::format("{:22}{} more\n", "", rows.size() - most);
  text += "\n";
  for (std::size_t i = 0; i < choices.sequences.size(); ++i) {
    const std::string& sequence = choices.sequences[i];
    if (i > 0 || !sequence.empty())
      text += brokenList(fmt::format("  {:>8}  {}", i, i == 0 ? "(all others)  " : ""),
                         sequence.empty() ? "(none)" : sequence);
  }
  return text;
}

}  // namespace

std::string shownName(const env::Action& action) {
  const std::optional<env::Choices> choices = choicesIn(action);
  if (!choices) return action.name;
  return fmt::format("{}: {} {} one of {}", action.name, counted(choices->functions.size(), "function"),
                     choices->functions.size() == 1 ? "has" : "have",
                     counted(choices->sequences.size() - 1, "sequence"));
}

std::string choicesText(const recipe::Recipe& recipe, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < recipe.actions.size(); ++i) {
    const std::optional<env::Choices> choices = choicesIn(recipe.actions[i]);
    if (!choices) continue;
    text += (text.empty() ? "" : "\n") + textOf(*choices, i + 1, recipe, most);
  }
  return text;
}

std::string choicesInShort(const recipe::Recipe& recipe) {
  std::string text;
  for (const env::Action& action : recipe.actions) {
    const std::optional<env::Choices> choices = choicesIn(action);
    if (!choices) continue;
    const std::vector<Chooser> rows = choosersOf(*choices, recipe);
    text += fmt::format("{}{} {} a sequence of their own", text.empty() ? "" : "; ", rows.size(),
                        rows.size() == 1 ? "has" : "have");
    for (std::size_t i = 0; i < std::min(kInShort, rows.size()); ++i) {
      text += fmt::format("{}{}", i == 0 ? ": " : ", ", demangled(rows[i].function));
      if (rows[i].saves) text += " " + grouped(*rows[i].saves);
    }
    if (rows.size() > kInShort) text += fmt::format(" and {} more", rows.size() - kInShort);
  }
  return text;
}

std::string foldedCommand(std::string_view line) {
  if (line.size() <= kLongCommand) return std::string(line);
  std::string folded;
  std::size_t named = 0;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, wordEnd(line));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    const bool names = word.find("-force-") <= 1 && word.find(':') != std::string_view::npos;
    if (names && ++named > kNamed) continue;
    if (!names && named > kNamed) folded += fmt::format(" … ({} more)", named - kNamed);
    if (!names) named = 0;
    (folded += folded.empty() ? "" : " ") += word;
  }
  return folded;
}

Json choicesJson(const recipe::Recipe& recipe) {
  Json all = Json::array();
  for (std::size_t i = 0; i < recipe.actions.size(); ++i) {
    const std::optional<env::Choices> choices = choicesIn(recipe.actions[i]);
    if (!choices) continue;
    Json functions = Json::array();
    for (const Chooser& row : choosersOf(*choices, recipe))
      functions.push_back({{"function", row.function},
                           {"shown", demangled(row.function)},
                           {"sequence", row.sequence},
                           {"saves", row.saves ? Json(*row.saves) : Json(nullptr)}});
    all.push_back({{"action", i}, {"sequences", choices->sequences}, {"functions", std::move(functions)}});
  }
  return all;
}

}  // namespace ordo::cli
