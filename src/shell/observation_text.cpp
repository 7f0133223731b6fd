// describe() goes by the data, not by a list of names: bytes, two dimensions, one element, else a vector.
// Only the program graph is known by name, and only if its own header agrees with its length (isGraph()), so
// that a damaged one is shown as plain numbers. All numbers are read as doubles (Observed::numbers()), for
// JSON too: whole numbers beyond 2^53 are rounded.
#include "shell/observation_text.h"

#include <algorithm>
#include <cmath>

#include "support/table.h"
#include "support/text.h"

namespace ordo::shell {
namespace {

bool isText(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && c != '\r';
  });
}

std::string number(double value) {
  if (std::isnan(value)) return "not known";
  return value == std::round(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.4g}", value);
}

std::string shapeOf(const Observed& observed) {
  std::string text;
  for (const std::uint32_t extent : observed.shape)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", extent);
  return fmt::format("{} {}", text, name(observed.sensor.dtype));
}

// "3 of 56 elements are not 0, from -1 to 7, mean 0.2"
std::string spread(const std::vector<double>& values) {
  if (values.empty()) return "no elements";
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  const auto nonzero = std::count_if(values.begin(), values.end(), [](double value) { return value != 0; });
  return fmt::format("{} of {} elements are not 0; {} to {}, mean {}", nonzero, values.size(), number(*low),
                     number(*high), number(sum / static_cast<double>(values.size())));
}

// Name and value in as many columns as fit.
std::string grid(const std::vector<std::pair<std::string, std::string>>& cells, std::size_t width) {
  std::size_t widest = 0;
  for (const auto& [name, value] : cells) widest = std::max(widest, name.size() + value.size() + 4);
  const std::size_t columns = std::clamp<std::size_t>(width / std::max<std::size_t>(widest, 1), 1, 4);
  const std::size_t rows = (cells.size() + columns - 1) / columns;
  Table table;
  for (std::size_t column = 0; column < columns; ++column) {
    table.right.push_back(false);
    table.right.push_back(true);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::string>& line = table.rows.emplace_back();
    for (std::size_t at = row; at < cells.size(); at += rows) {
      line.push_back("  " + cells[at].first);
      line.push_back(cells[at].second);
    }
  }
  return format(table);
}

std::string vectorText(const Observed& observed, bool all, const Style& style) {
  const std::vector<double> values = observed.numbers();
  std::vector<std::pair<std::string, std::string>> cells;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0 && !all) continue;
    cells.emplace_back(i < observed.element_names.size() ? observed.element_names[i] : fmt::format("[{}]", i),
                       number(values[i]));
  }
  std::string text = fmt::format("{}: {}; {}\n", observed.sensor.name, shapeOf(observed), spread(values));
  // A hundred nameless coordinates tell nobody anything.
  if (!all && observed.element_names.empty() && cells.size() > 32) {
    return text +
           fmt::format("(its elements have no names; observe {} --all shows them)\n", observed.sensor.name);
  }
  text += grid(cells, style.width);
  if (cells.size() < values.size()) {
    text += fmt::format("({} zeros are not shown; --all does)\n", values.size() - cells.size());
  }
  return text;
}

std::string matrixText(const Observed& observed, const Style& style) {
  const std::vector<double> values = observed.numbers();
  const std::size_t rows = observed.shape[0], columns = observed.shape[1];
  std::string text = fmt::format("{}: {}; {}\n", observed.sensor.name, shapeOf(observed), spread(values));
  const std::size_t shown_rows = std::min<std::size_t>(rows, 8);
  const std::size_t shown_columns = std::min(columns, std::max<std::size_t>(style.width / 12, 1));
  Table table;
  table.right.assign(shown_columns + 1, true);
  if (!observed.element_names.empty()) {
    table.columns.emplace_back();
    for (std::size_t column = 0; column < shown_columns; ++column) {
      table.columns.push_back(observed.element_names[column].substr(0, 10));
    }
  }
  for (std::size_t row = 0; row < shown_rows; ++row) {
    std::vector<std::string>& line = table.rows.emplace_back();
    line.push_back(fmt::format("[{}]", row));
    for (std::size_t column = 0; column < shown_columns; ++column)
      line.push_back(number(values[row * columns + column]));
  }
  text += format(table);
  if (shown_rows < rows || shown_columns < columns) {
    text += fmt::format("(the first {} rows and {} columns)\n", shown_rows, shown_columns);
  }
  return text;
}

// docs/formats/program-graph.md
std::string graphText(const Observed& observed) {
  const std::vector<double> values = observed.numbers();
  const auto nodes = static_cast<std::size_t>(values[1]), edges = static_cast<std::size_t>(values[2]);
  const auto tally = [&](std::size_t begin, std::size_t rows, std::size_t column) {
    std::vector<std::size_t> counts(3);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto kind = static_cast<std::size_t>(values[begin + 4 * row + column]);
      if (kind < counts.size()) ++counts[kind];
    }
    return counts;
  };
  const std::vector<std::size_t> types = tally(8, nodes, 0), flows = tally(8 + 4 * nodes, edges, 2);
  return fmt::format(
      "{}: {} functions, {} basic blocks\n"
      "  {} nodes: {} instructions, {} variables, {} constants\n"
      "  {} edges: {} control, {} data, {} call\n",
      observed.sensor.name, number(values[5]), number(values[6]), nodes, types[0], types[1], types[2], edges,
      flows[0], flows[1], flows[2]);
}

bool isGraph(const Observed& observed) {
  if (observed.sensor.name != "program_graph") return false;
  const std::vector<double> values = observed.numbers();
  return values.size() >= 8 && values[0] == 8 && values[3] == 4 && values[4] == 4 &&
         static_cast<double>(values.size()) == 8 + 4 * (values[1] + values[2]);
}

}  // namespace

std::string cut(std::string_view text, const Style& style, std::string_view option) {
  std::size_t end = 0, lines = 0, total = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && i + 1 != text.size()) continue;
    if (++total == style.lines) end = i + 1;
  }
  lines = style.lines;
  if (lines == 0 || total <= lines) return std::string(text);
  return fmt::format(
      "{}{}\n", text.substr(0, end),
      paint(style, Color::kDim, fmt::format("({} more lines; {} shows all)", total - lines, option)));
}

std::string describe(const Observed& observed, bool all, const Style& style) {
  if (observed.sensor.dtype == DType::kBytes) {
    if (!isText(observed.bytes))
      return fmt::format("{}: {} bytes\n", observed.sensor.name,
                         grouped(static_cast<double>(observed.bytes.size())));
    std::string text = observed.bytes;
    if (!text.ends_with('\n')) text += '\n';
    return all ? text : cut(text, style, "--all");
  }
  if (isGraph(observed)) return graphText(observed);
  if (observed.shape.size() == 2) return matrixText(observed, style);
  if (observed.sensor.shape == std::vector<std::uint32_t>{1}) {
    return fmt::format("{}: {} {}\n", observed.sensor.name, number(observed.numbers()[0]),
                       observed.sensor.unit);
  }
  return vectorText(observed, all, style);
}

Json toJson(const Observed& observed) {
  Json json = {
      {"name", observed.sensor.name}, {"dtype", name(observed.sensor.dtype)}, {"shape", observed.shape}};
  if (observed.sensor.dtype != DType::kBytes) {
    Json values = Json::array();
    for (const double value : observed.numbers()) {
      if (observed.sensor.dtype == DType::kInt64)
        values.push_back(static_cast<std::int64_t>(value));
      else
        values.push_back(std::isnan(value) ? Json() : Json(value));
    }
    json["values"] = std::move(values);
    if (!observed.element_names.empty()) json["elements"] = observed.element_names;
  } else if (isText(observed.bytes)) {
    json["text"] = observed.bytes;
  } else {
    json["bytes"] = observed.bytes.size();
  }
  return json;
}

}  // namespace ordo::shell
