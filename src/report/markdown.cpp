// Three documents from the same parts: a Table becomes text in markdown(), with cells made safe by line(),
// and sentences become bullets(). Tables and sentences are those of tables.h and text.h, so that all forms of
// report say the same. Methods outside of the panel come after the others, in a second Analysis of all
// methods (wholePanel()).
#include "report/markdown.h"

#include <fmt/format.h>

#include "report/tables.h"
#include "report/talks.h"
#include "report/text.h"
#include "support/text.h"

namespace ordo::report {
namespace {

// '|' in a cell would end it, and so would a line.
std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) {
    text += ' ';
    for (const char c : cell) text += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
    text += " |";
  }
  return text + "\n";
}

std::string markdown(const Table& table) {
  std::string text = line(table.columns) + "|---|";
  for (std::size_t i = 1; i < table.columns.size(); ++i) text += "---:|";
  text += "\n";
  for (const std::vector<std::string>& row : table.rows) text += line(row);
  return text + "\n";
}

Table transposed(const Table& table) {
  Table result;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<std::string> cells{table.columns[column]};
    for (const std::vector<std::string>& row : table.rows) cells.push_back(row[column]);
    if (column == 0)
      result.columns = std::move(cells);
    else
      result.rows.push_back(std::move(cells));
  }
  return result;
}

std::string bullets(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& item : lines) text += fmt::format("- {}\n", item);
  return text;
}

std::string provenance(const study::Study& study) {
  std::string text;
  for (const std::vector<std::string>& row : provenanceTable(study).rows)
    text += fmt::format("- {}: `{}`\n", row[0], row[1]);
  return text;
}

std::string rankingsTable(const Analysis& analysis, const std::string& objective) {
  std::string text;
  for (const std::string& baseline : Analysis::baselines()) {
    text += fmt::format("### {} over {}\n", objective, baseline);
    text += markdown(rankingTable(analysis, analysis.ranking(objective, baseline)));
  }
  return text;
}

std::string timesTable(const Analysis& analysis, const std::string& objective) {
  const TimeRanking ranking = analysis.atSeconds(objective);
  if (ranking.seconds.empty()) return "";
  return fmt::format("### {} over clang-Oz at equal processor time\n{}\n\n", objective,
                     timeDefinition(analysis)) +
         markdown(timeTable(ranking));
}

std::string costsTable(const Analysis& analysis, const std::string& objective) {
  const std::vector<Cost> costs = analysis.costs(objective);
  const Table talks = talkTable(analysis.study(), objective);
  return fmt::format("### What it costs\n{}\n\n", costDefinition(costs)) + markdown(costTable(costs)) +
         (talks.rows.empty() ? "" : fmt::format("### Dialogues\n{}\n\n", talkDefinition()) + markdown(talks));
}

// All objectives for which one of `methods` is compared.
std::string allRankings(const Analysis& analysis, const std::vector<std::string>& methods) {
  std::string text;
  for (const std::string& objective : analysis.objectivesOf(methods)) {
    text += fmt::format("\n## {}\n{}.\n\n", objective, scope(analysis, objective));
    text += rankingsTable(analysis, objective);
  }
  return text;
}

// The methods that the main tables leave out, among all others on the programs they have in common.
std::string wholePanelTable(const Analysis& analysis) {
  if (analysis.outside().empty()) return "";
  const Analysis all(analysis.study(), Panel::kAll);
  return fmt::format("\n# {}\n{}", panelTitle(analysis.outside()), allRankings(all, analysis.outside()));
}

}  // namespace

std::string markdownReport(const Analysis& analysis, const std::string& rival) {
  std::string text = fmt::format("# Study\n\n{}\n{}{}\n## How to read it\n{}", bullets(headlines(analysis)),
                                 markdown(winnersTable(analysis)), provenance(analysis.study()),
                                 bullets(definitions(analysis)));
  for (const std::string& objective : analysis.objectives()) {
    if (analysis.programs(objective).empty()) continue;
    text += fmt::format("\n## {}\n{}.\n\n", objective, scope(analysis, objective));
    text += rankingsTable(analysis, objective);
    text += timesTable(analysis, objective);
    text += fmt::format(
        "### Against {}\nDifference in points of improvement over clang-Oz, clamped, paired by program.\n\n",
        rival);
    text += markdown(duelTable(analysis, analysis.against(rival, objective)));
    text += "### By suite, over clang-Oz\n";
    text += markdown(groupTable(analysis, "suite", analysis.bySuite(objective, "clang-Oz")));
    text += "### By size, over clang-Oz\nInstructions before any pass.\n\n";
    text += markdown(groupTable(analysis, "instructions", analysis.bySize(objective, "clang-Oz")));
    text +=
        fmt::format("### By program\n{} of the baselines, then improvement over clang-Oz.\n\n", objective);
    text += markdown(programTable(analysis, objective));
    text += costsTable(analysis, objective);
  }
  text += wholePanelTable(analysis);
  text += fmt::format("\n# Instructions and bytes\n{}\n\n# Failures\n", correlationSentence(analysis));
  const Table failures = failureTable(analysis);
  return text + (failures.rows.empty() ? "None.\n" : markdown(failures));
}

std::string summary(const Analysis& analysis) {
  std::string text =
      bullets(headlines(analysis)) + "\n" + markdown(winnersTable(analysis)) + provenance(analysis.study());
  for (const std::string& objective : analysis.objectives()) {
    if (analysis.programs(objective).empty()) continue;
    text += fmt::format("\n### {} over clang-Oz, by size\n{}, {} compiles; instructions before any pass.\n\n",
                        objective, scope(analysis, objective),
                        grouped(static_cast<double>(analysis.budgets().back())));
    text += markdown(transposed(groupTable(analysis, "method", analysis.bySize(objective, "clang-Oz"))));
  }
  return text;
}

std::string leaderboard(const Analysis& analysis) {
  std::string text = fmt::format(
      "# Leaderboard\n\nGenerated by `ordo report STUDY --leaderboard`; not edited by hand. To enter it, add "
      "a searcher "
      "([recipe](recipes/add-a-searcher.md)) or bring a Python function or a program of yours "
      "([python.md](python.md#score-your-own-method), [protocol](formats/method.md)), and run the command "
      "below "
      "with it: runs that are there are kept.\n\n{}\n{}{}",
      bullets(headlines(analysis)), markdown(winnersTable(analysis)), provenance(analysis.study()));
  text += allRankings(analysis, analysis.methods()) + wholePanelTable(analysis);
  return text + "## How to read it\n" + bullets(definitions(analysis));
}

}  // namespace ordo::report
