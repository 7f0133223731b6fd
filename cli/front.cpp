#include "cli/front.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <set>

#include "engine/stock.h"
#include "report/characters.h"
#include "support/files.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

constexpr std::size_t kColumns = 80;

report::Scatter scatterOf(const tune::Pareto& front) {
  report::Scatter scatter;
  for (std::size_t i = 0; i < front.points.size(); ++i)
    scatter.front.emplace_back(front.figure(i, 0).tuned, front.figure(i, 1).tuned);
  // Of more metrics the line would not be a bound.
  scatter.stairs = front.metrics.size() == 2;
  scatter.reference = {front.baseline[0], front.baseline[1]};
  scatter.reference_name = front.points.front().recipe.baseline;
  for (const std::vector<double>& values : front.seen) scatter.cloud.emplace_back(values[0], values[1]);
  return scatter;
}

report::PlotLabels labelsOf(const tune::Pareto& front) {
  return {fmt::format("{}: {} against {}", front.points.front().recipe.program, front.metrics[1],
                      front.metrics[0]),
          front.metrics[0], front.metrics[1]};
}

std::string row(std::string_view label, std::string_view text) {
  return fmt::format("  {:16} {}\n", label, text);
}

std::string tableOf(const tune::Pareto& front) {
  Table table{{"", "point"}, {}, {false, true}};
  for (const std::string& metric : front.metrics) {
    table.columns.insert(table.columns.end(), {metric, ""});
    table.right.insert(table.right.end(), {true, true});
  }
  table.columns.emplace_back("passes");
  table.right.push_back(true);
  for (std::size_t i = 0; i < front.points.size(); ++i) {
    std::vector<std::string> cells{"", std::to_string(i + 1)};
    for (std::size_t metric = 0; metric < front.metrics.size(); ++metric) {
      const recipe::Figure& figure = front.figure(i, metric);
      cells.push_back(grouped(figure.tuned));
      cells.push_back(change(figure.baseline, figure.tuned));
    }
    cells.push_back(std::to_string(front.points[i].recipe.actions.size()));
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> cells{"", front.points.front().recipe.baseline};
  for (const double value : front.baseline) cells.insert(cells.end(), {grouped(value), ""});
  table.rows.push_back(std::move(cells));
  return format(table);
}

// What was said of the points, each once.
std::string together(const tune::Pareto& front, std::string recipe::Recipe::* said) {
  std::set<std::string> texts;
  for (const tune::Tuned& point : front.points) texts.insert(point.recipe.*said);
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

std::string pointName(std::string_view name, std::size_t number) {
  return fmt::format("{}.pareto-{}", name, number);
}

std::string drawingPath(const OutputOptions& options, std::string_view name) {
  const std::filesystem::path recipe = recipePath(options, name);
  return (recipe.parent_path() / (std::filesystem::path(name).filename().string() + ".pareto.svg")).string();
}

Result<FrontFiles> writeFront(engine::Engine& engine, const engine::Input& input, const tune::Pareto& front,
                              const OutputOptions& options, std::string_view name) {
  FrontFiles files;
  for (std::size_t i = 0; i < front.points.size(); ++i) {
    const tune::Tuned& point = front.points[i];
    const std::string point_name = pointName(name, i + 1);
    const FrontFiles::Point& written =
        files.points.emplace_back(outputPath(options, point_name), recipePath(options, point_name));
    ORDO_TRY(writeResult(engine, input, engine::emissionSource(input.source, point.recipe.actions),
                         point.bitcode, point.object, options.emit, written.out));
    ORDO_TRY(writeFile(written.recipe, recipe::write(point.recipe)));
  }
  files.drawing = drawingPath(options, name);
  ORDO_TRY(writeFile(files.drawing, report::scatterPlot(scatterOf(front), labelsOf(front))));
  return files;
}

std::string frontText(const tune::Pareto& front, const FrontFiles& files) {
  std::string text = row("front", fmt::format("{} points, of {} on the front of {} different values seen",
                                              front.points.size(), front.found, front.seen.size()));
  text += fmt::format("\n{}\n{}\n", tableOf(front),
                      report::characterPlot(scatterOf(front), labelsOf(front), kColumns));
  for (const tune::Refused& refused : front.refused)
    text += row("refused", fmt::format("a point of {} passes: {}", refused.actions.size(), refused.why));
  text += row("searched", fmt::format("{} sequences in {:.1f} s, a search for each metric",
                                      grouped(static_cast<double>(front.statistics.evaluations)),
                                      front.statistics.seconds));
  text += row("verified", "stock opt-22 makes the same IR of each");
  text += row("tested", together(front, &recipe::Recipe::tested));
  const auto [first_out, first_recipe] = files.points.front();
  const bool one = files.points.size() == 1;
  text += row("wrote", fmt::format("{}, {}{}", first_out, first_recipe,
                                   one ? "" : fmt::format(" … {}", files.points.back().recipe)));
  text += row("drawn", files.drawing);
  return text + row("stock commands", fmt::format("ordo explain {}", first_recipe));
}

Json toJson(const tune::Pareto& front, const FrontFiles& files) {
  Json json = {{"metrics", front.metrics},
               {"baseline", front.baseline},
               {"found", front.found},
               {"seen", front.seen.size()},
               {"drawing", files.drawing},
               {"evaluations", front.statistics.evaluations},
               {"seconds", front.statistics.seconds}};
  json["points"] = Json::array();
  for (std::size_t i = 0; i < front.points.size(); ++i) {
    Json values = Json::array();
    for (std::size_t metric = 0; metric < front.metrics.size(); ++metric)
      values.push_back(front.figure(i, metric).tuned);
    json["points"].push_back({{"values", std::move(values)},
                              {"output", files.points[i].out},
                              {"recipe_file", files.points[i].recipe},
                              {"recipe", Json::parse(recipe::write(front.points[i].recipe))}});
  }
  json["refused"] = Json::array();
  for (const tune::Refused& refused : front.refused)
    json["refused"].push_back({{"actions", refused.actions}, {"why", refused.why}});
  return json;
}

}  // namespace ordo::cli
