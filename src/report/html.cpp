// The page is one string, section by section; htmlReport() has their order. Tables and sentences are those of
// tables.h and text.h, which the other forms of report use, and plots are SVG from plot.h: no figure is
// computed here. What a study names goes through escaped(). Methods outside of the panel come after the
// others, in a second Analysis of all methods (wholePanel()).
//
// It looks as the explorer does: colours and type are those of web/src/style.css, which web/src/look.test.ts
// holds it to.
#include "report/html.h"

#include <fmt/format.h>

#include "report/plot.h"
#include "report/tables.h"
#include "report/talks.h"
#include "report/text.h"
#include "support/text.h"

namespace ordo::report {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ordo study</title>
<style>
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f4, #16181a);
  --card: light-dark(#ffffff, #1e2123);
  --line: light-dark(#dddedb, #353a3e);
  --ink: light-dark(#1b1d1f, #e8e8e5);
  --quiet: light-dark(#5a6066, #a3aab0);
  --accent: light-dark(#0b6577, #5cc4d8);
  --series-1: light-dark(#0b6577, #5cc4d8);
  --series-2: light-dark(#a33a06, #f5a06b);
  --series-3: light-dark(#6b4fa0, #b9a3ec);
  --series-4: light-dark(#0a6b3d, #62cf97);
  --series-5: light-dark(#8a6100, #e0b84c);
  --series-6: light-dark(#9c2f68, #ec8fbf);
}
body { font: 14px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; color: var(--ink);
  background: var(--page); max-width: 1180px; margin: 0 auto; padding: 16px 20px 40px; overflow-wrap: anywhere; }
h1 { font-size: 20px; font-weight: 600; line-height: 1.3; margin: 0 0 8px; }
h2 { font-size: 17px; font-weight: 600; margin: 34px 0 4px; padding-top: 8px; border-top: 1px solid var(--line); }
h3 { font-size: 14px; font-weight: 600; margin: 20px 0 4px; }
p { margin: 4px 0; max-width: 75ch; }
.verdict { font-size: 16px; max-width: none; }
.note { color: var(--quiet); font-size: 12.5px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 8px 32px; }
.pair h3 { margin-top: 12px; }
svg { width: 100%; height: auto; font: 12.5px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink);
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; margin: 6px 0 12px; }
th, td { padding: 4px 10px 4px 0; text-align: right; white-space: nowrap; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--quiet); font-weight: 400; vertical-align: bottom; }
tr.minor td, td small { color: var(--quiet); }
td small { display: block; }
table.words td, table.words th { text-align: left; white-space: normal; overflow-wrap: anywhere; }
table.words td:first-child { white-space: nowrap; }
ul { margin: 4px 0; padding-left: 20px; max-width: 90ch; }
@media print {
  :root { color-scheme: light; --page: #ffffff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; } h3, tr, svg { break-inside: avoid; } h3 { break-after: avoid; }
  .wide { overflow: visible; } table { font-size: 7.5pt; } th, td { padding-right: 6px; }
}
</style>
</head>
<body>
)";

// A value and, below it, its interval: half as wide as in one line.
std::string cell(const std::string& text) {
  const std::size_t bracket = text.find(" [");
  if (bracket == std::string::npos) return escaped(text);
  return fmt::format("{}<small>{}</small>", escaped(text.substr(0, bracket)),
                     escaped(text.substr(bracket + 1)));
}

// `words`: the last column is a text, too.
std::string html(const Table& table, bool words = false) {
  std::string text = fmt::format("<div class=\"wide\"><table{}>\n", words ? " class=\"words\"" : "");
  if (!table.columns.empty()) {
    text += "<tr>";
    for (const std::string& column : table.columns) text += fmt::format("<th>{}</th>", escaped(column));
    text += "</tr>\n";
  }
  for (const std::vector<std::string>& row : table.rows) {
    text += row.front().ends_with(", unclamped") ? "<tr class=\"minor\">" : "<tr>";
    for (const std::string& entry : row)
      text += fmt::format("<td>{}</td>", words ? escaped(entry) : cell(entry));
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string list(const std::vector<std::string>& items) {
  std::string text = "<ul>\n";
  for (const std::string& item : items) text += fmt::format("<li>{}</li>\n", escaped(item));
  return text + "</ul>\n";
}

std::string rankingPlot(const Ranking& ranking, const std::string& budget) {
  std::vector<Bar> bars;
  for (const Row& row : ranking.rows) {
    const Estimate& last = row.clamped.back();
    bars.push_back({row.method, last.mean, last.interval, percent(last)});
  }
  const std::string what = fmt::format("improvement over {} at {} compiles", ranking.baseline, budget);
  return intervalPlot(bars, {fmt::format("{}: {}", ranking.objective, what), what, ""});
}

std::string curvePlot(const std::vector<Curve>& curves, const std::string& objective,
                      const std::string& over) {
  std::vector<Series> series;
  for (const Curve& curve : curves) series.push_back({curve.method, curve.x, curve.y});
  return linePlot(series,
                  {fmt::format("{}: improvement over clang-Oz, best so far, over {}", objective, over), over,
                   "improvement over clang-Oz"});
}

std::string rankings(const Analysis& analysis, const std::string& objective) {
  std::string text;
  for (const std::string& baseline : Analysis::baselines()) {
    text += fmt::format("\n<h3>{} over {}, by budget</h3>\n", escaped(objective), baseline) +
            html(rankingTable(analysis, analysis.ranking(objective, baseline)));
  }
  return text;
}

std::string plotOf(const Analysis& analysis, const std::string& objective, const std::string& baseline) {
  const std::string largest = grouped(static_cast<double>(analysis.budgets().back()));
  return fmt::format("<div><h3>{}</h3>\n{}</div>\n", escaped(fmt::format("{} over {}", objective, baseline)),
                     rankingPlot(analysis.ranking(objective, baseline), largest));
}

std::string times(const Analysis& analysis, const std::string& objective) {
  const TimeRanking ranking = analysis.atSeconds(objective);
  if (ranking.seconds.empty()) return "";
  return fmt::format("<h3>{} over clang-Oz at equal processor time</h3>\n<p class=\"note\">{}</p>\n",
                     escaped(objective), escaped(timeDefinition(analysis))) +
         html(timeTable(ranking));
}

std::string costs(const Analysis& analysis, const std::string& objective) {
  const std::vector<Cost> costs = analysis.costs(objective);
  const Table talks = talkTable(analysis.study(), objective);
  return fmt::format("<h3>What it costs</h3>\n<p class=\"note\">{}</p>\n", escaped(costDefinition(costs))) +
         html(costTable(costs)) +
         (talks.rows.empty()
              ? ""
              : fmt::format("<h3>Dialogues</h3>\n<p class=\"note\">{}</p>\n", escaped(talkDefinition())) +
                    html(talks));
}

// The methods that the main tables leave out, among all others on the programs they have in common.
std::string wholePanel(const Analysis& analysis) {
  if (analysis.outside().empty()) return "";
  const Analysis all(analysis.study(), Panel::kAll);
  std::string text = fmt::format("<h2>{}</h2>\n", escaped(panelTitle(analysis.outside())));
  for (const std::string& objective : all.objectivesOf(analysis.outside())) {
    text += fmt::format("<p class=\"note\">{}.</p>\n", escaped(scope(all, objective)));
    text += "<div class=\"pair\">\n";
    for (const std::string& baseline : Analysis::baselines()) text += plotOf(all, objective, baseline);
    text += "</div>\n" + rankings(all, objective) + times(all, objective) + costs(all, objective);
  }
  return text;
}

std::string objectiveSection(const Analysis& analysis, const std::string& objective,
                             const std::string& rival) {
  std::string text = fmt::format("<h2>{}</h2>\n<p class=\"note\">{}.</p>\n", escaped(objective),
                                 escaped(scope(analysis, objective)));
  text += "<h3>Best so far, against compiles</h3>\n" +
          curvePlot(analysis.overCompiles(objective), objective, "compiles (logarithmic)");
  text += "\n<h3>Best so far, against time</h3>\n" +
          curvePlot(analysis.overSeconds(objective), objective,
                    "processor seconds, workers included (logarithmic)");
  text += rankings(analysis, objective);
  text += times(analysis, objective);
  text += fmt::format(
      "<h3>Against {}</h3>\n<p class=\"note\">Difference in points of improvement over clang-Oz, clamped, "
      "paired by "
      "program.</p>\n",
      escaped(rival));
  text += html(duelTable(analysis, analysis.against(rival, objective)));
  text += "<h3>By suite, over clang-Oz</h3>\n" +
          html(groupTable(analysis, "suite", analysis.bySuite(objective, "clang-Oz")));
  text += "<h3>By size, over clang-Oz</h3>\n<p class=\"note\">Instructions before any pass.</p>\n" +
          html(groupTable(analysis, "instructions", analysis.bySize(objective, "clang-Oz")));
  text += fmt::format(
      "<h3>By program</h3>\n<p class=\"note\">{} of the baselines, then improvement over clang-Oz.</p>\n",
      escaped(objective));
  text += html(programTable(analysis, objective));
  return text + costs(analysis, objective);
}

}  // namespace

std::string htmlReport(const Analysis& analysis, const std::string& rival) {
  std::string text = kHead;
  text += "<h1>What won, and by how much</h1>\n";
  for (const std::string& headline : headlines(analysis))
    text += fmt::format("<p class=\"verdict\">{}</p>\n", escaped(headline));
  text += html(winnersTable(analysis));
  for (const std::string& baseline : Analysis::baselines()) {
    text += "<div class=\"pair\">\n";
    for (const std::string& objective : analysis.objectives()) {
      if (analysis.programs(objective).empty()) continue;
      text += plotOf(analysis, objective, baseline);
    }
    text += "</div>\n";
  }
  text += "<p class=\"note\">Dots are means over suites, bars 95 % intervals; more is better.</p>\n";
  text += "<h3>How to read it</h3>\n" + list(definitions(analysis));
  for (const std::string& objective : analysis.objectives()) {
    if (!analysis.programs(objective).empty()) text += objectiveSection(analysis, objective, rival);
  }
  text += wholePanel(analysis);
  text += fmt::format("<h2>Instructions and bytes</h2>\n<p>{}</p>\n", escaped(correlationSentence(analysis)));
  const Table failures = failureTable(analysis);
  text +=
      fmt::format("<h2>Failures</h2>\n{}", failures.rows.empty() ? "<p>None.</p>\n" : html(failures, true));
  text += "<h2>Where it comes from</h2>\n" + html(provenanceTable(analysis.study()), true);
  return text + "</body>\n</html>\n";
}

}  // namespace ordo::report
