// The page is one string, section by section; htmlReport() has their order. Tables and sentences are those of
// tables.h and text.h, which the other forms of report use, and plots are SVG from plot.h: no figure is
// computed here. What a study names goes through escaped(). Methods outside of the panel come after the
// others, in a second Analysis of all methods (wholePanel()).
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
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1a1a1a; background: #fff;
  max-width: 1180px; margin: 0 auto; padding: 1.2rem 1.5rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 .6rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .3rem; padding-top: .6rem; border-top: 2px solid #1a1a1a; }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
p { margin: .3rem 0; max-width: 75ch; }
.verdict { font-size: 1.1rem; max-width: none; }
.note { color: #555; font-size: .88rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: .5rem 2rem; }
.pair h3 { margin-top: .8rem; }
svg { width: 100%; height: auto; font: 12.5px system-ui, "DejaVu Sans", sans-serif; fill: #1a1a1a; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; margin: .4rem 0 .8rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
th { border-bottom: 1px solid #1a1a1a; font-weight: 600; vertical-align: bottom; }
td { border-bottom: 1px solid #e4e4e4; }
tr.minor td { color: #555; }
td small { display: block; color: #555; }
table.words td, table.words th { text-align: left; white-space: normal; overflow-wrap: anywhere; }
table.words td:first-child { white-space: nowrap; }
ul { margin: .3rem 0; padding-left: 1.2rem; max-width: 90ch; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; } h3, tr, svg { break-inside: avoid; } h3 { break-after: avoid; }
  .wide { overflow: visible; } table { font-size: 7.5pt; } th, td { padding-right: .4rem; }
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
