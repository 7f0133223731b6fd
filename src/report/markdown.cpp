#include "report/markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text.h"
#include "support/text.h"

namespace ordo::report {
namespace {

using Cells = std::vector<std::string>;

// The first column is text, the others are numbers. '|' in a cell would end it.
std::string line(const Cells& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) {
    text += ' ';
    for (const char c : cell) text += c == '|' ? "\\|" : c == '\n' ? std::string(" ") : std::string(1, c);
    text += " |";
  }
  return text + "\n";
}

std::string table(const Cells& columns, const std::vector<Cells>& rows) {
  std::string text = line(columns) + "|---|";
  for (std::size_t i = 1; i < columns.size(); ++i) text += "---:|";
  text += "\n";
  for (const Cells& row : rows) text += line(row);
  return text + "\n";
}

Cells budgetColumns(const Analysis& analysis, std::string first) {
  Cells columns{std::move(first)};
  for (const std::uint64_t budget : analysis.budgets())
    columns.push_back(grouped(static_cast<double>(budget)) + " compiles");
  return columns;
}

std::string rankingTable(const Analysis& analysis, const Table& ranking) {
  Cells columns = budgetColumns(analysis, "method");
  columns.push_back("wins / ties / losses");
  std::vector<Cells> rows;
  for (const Row& row : ranking.rows) {
    Cells clamped{row.method}, own{row.method + ", unclamped"};
    for (const Estimate& estimate : row.clamped) clamped.push_back(percent(estimate));
    for (const Estimate& estimate : row.own) own.push_back(percent(estimate));
    clamped.emplace_back();
    own.push_back(fmt::format("{} / {} / {}", row.wins, row.ties, row.losses));
    rows.push_back(std::move(clamped));
    rows.push_back(std::move(own));
  }
  return table(columns, rows);
}

std::string groupTable(const Analysis& analysis, const std::string& what,
                       const std::vector<Analysis::Group>& groups) {
  Cells columns{what, "programs"};
  columns.insert(columns.end(), analysis.methods().begin(), analysis.methods().end());
  std::vector<Cells> rows;
  for (const Analysis::Group& group : groups) {
    Cells cells{group.name, std::to_string(group.programs)};
    for (const Estimate& estimate : group.values) cells.push_back(percent(estimate));
    rows.push_back(std::move(cells));
  }
  return table(columns, rows);
}

std::string duelTable(const Analysis& analysis, const std::vector<Duel>& duels) {
  Cells columns = budgetColumns(analysis, "method");
  columns.push_back("wins / ties / losses");
  std::vector<Cells> rows;
  for (const Duel& duel : duels) {
    Cells cells{duel.method};
    for (const Comparison& comparison : duel.by_budget)
      cells.push_back(fmt::format("{}, p = {:.3f}", percent(comparison.difference), comparison.p));
    cells.push_back(fmt::format("{} / {} / {}", duel.wins, duel.ties, duel.losses));
    rows.push_back(std::move(cells));
  }
  return table(columns, rows);
}

std::string costTable(const std::vector<Cost>& costs) {
  std::vector<Cells> rows;
  for (const Cost& cost : costs) {
    rows.push_back(
        {cost.method, grouped(cost.evaluations), grouped(cost.passes), fmt::format("{:.2f}", cost.cpu_s),
         fmt::format("{:.2f}", cost.wall_s), fmt::format("{:.0f} %", 100 * cost.known_share),
         fmt::format("{:.1f} %", 100 * cost.failed_share), fmt::format("{:.1f} %", 100 * cost.method_share),
         fmt::format("{:.1f} %", 100 * cost.harness_share),
         fmt::format("{:.0f}", cost.peak_bytes / (1 << 20)), std::to_string(cost.workers_died),
         fmt::format("{} of {}", cost.divergences, cost.runs)});
  }
  return table({"method", "compiles", "passes", "CPU s", "wall s", "known", "failed", "thinking", "harness",
                "peak MiB", "workers died", "differed in replay"},
               rows);
}

std::string provenance(const study::Study& study) {
  const study::Settings& settings = study.settings;
  std::string text = fmt::format(
      "Study file XXH3-128 `{}`{}. Ordo {}, {}, {}; space {} (`{}`); {} compiles a run, sequences of up to "
      "{} "
      "actions.\n",
      study.file_hash, study.in_progress ? " (unfinished: it will change)" : "", settings.ordo_version,
      settings.backend, settings.target, settings.space, settings.space_hash, settings.compiles,
      settings.max_length);
  for (const auto& [key, value] : study.notes) text += fmt::format("- {}: `{}`\n", key, value);
  return text;
}

std::string failureList(const Analysis& analysis) {
  std::vector<Cells> rows;
  for (const study::Run* run : analysis.failures()) {
    rows.push_back(
        {run->key.program, run->key.method, run->key.objective, std::to_string(run->key.seed), run->failure});
  }
  if (rows.empty()) return "None.\n\n";
  return table({"program", "method", "objective", "seed", "reason"}, rows);
}

}  // namespace

std::string markdownReport(const Analysis& analysis, const std::string& rival) {
  std::string text = "# Study\n\n";
  for (const std::string& headline : headlines(analysis)) text += fmt::format("- {}\n", headline);
  text += "\n" + provenance(analysis.study());
  text += "\n## How to read it\n";
  for (const std::string& definition : definitions(analysis)) text += fmt::format("- {}\n", definition);
  for (const std::string& objective : analysis.objectives()) {
    if (analysis.programs(objective).empty()) continue;
    text += fmt::format("\n## {}\n{}.\n\n", objective, scope(analysis, objective));
    for (const std::string& baseline : Analysis::baselines()) {
      text += fmt::format("### Over {}\n", baseline);
      text += rankingTable(analysis, analysis.table(objective, baseline));
    }
    text += fmt::format(
        "### Against {}\nDifference in points of improvement over clang-Oz, paired by program.\n\n", rival);
    text += duelTable(analysis, analysis.against(rival, objective));
    text += "### By suite, over clang-Oz\n";
    text += groupTable(analysis, "suite", analysis.bySuite(objective, "clang-Oz"));
    text += "### By size, over clang-Oz\nInstructions before any pass.\n\n";
    text += groupTable(analysis, "instructions", analysis.bySize(objective, "clang-Oz"));
    text += "### What it costs\nPer run; the last three columns are over all runs.\n\n";
    text += costTable(analysis.costs(objective));
  }
  const Correlation correlation = analysis.correlation();
  text += fmt::format(
      "## Instructions and bytes\nOver {} results, instructions relative to clang-Oz and text bytes relative "
      "to "
      "clang-Oz correlate with {:.2f} (Pearson) and {:.2f} (Spearman).\n\n",
      correlation.pairs, correlation.pearson, correlation.spearman);
  text += "## Failures\n" + failureList(analysis);
  return text;
}

std::string leaderboard(const Analysis& analysis) {
  std::string text =
      "# Leaderboard\n\nGenerated by `ordo report STUDY --leaderboard`; not edited by hand. To enter it, add "
      "a "
      "searcher\n([recipes/add-a-searcher.md](recipes/add-a-searcher.md)) and run the command below again: "
      "the runs "
      "that are there are kept.\n\n";
  for (const std::string& headline : headlines(analysis)) text += fmt::format("- {}\n", headline);
  text += "\n" + provenance(analysis.study());
  for (const std::string& objective : analysis.objectives()) {
    if (analysis.programs(objective).empty()) continue;
    for (const std::string& baseline : Analysis::baselines()) {
      text += fmt::format("\n## {} over {}\n{}.\n\n", objective, baseline, scope(analysis, objective));
      text += rankingTable(analysis, analysis.table(objective, baseline));
    }
  }
  text += "## How to read it\n";
  for (const std::string& definition : definitions(analysis)) text += fmt::format("- {}\n", definition);
  return text;
}

}  // namespace ordo::report
