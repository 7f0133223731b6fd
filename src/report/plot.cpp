// Each plot is a string written from the back to the front: grid and labels, then what is plotted. Axis turns
// values into pixels and puts ticks at multiples of 1, 2 or 5 times a power of ten. look() gives series of
// one colour different dashes and markers, and spreadOut() moves the names at the ends of lines apart without
// changing their order. linePlot() draws steps, because between two points the best so far stays what it was.
// Pixels are rounded, so that equal data give equal bytes.
#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <set>

#include "support/text.h"

namespace ordo::report {
namespace {

// Those of the explorer (web/src/style.css), and what they are in light where a plot stands alone.
constexpr std::array<const char*, 6> kColours{"var(--series-1,#0b6577)", "var(--series-2,#a33a06)",
                                              "var(--series-3,#6b4fa0)", "var(--series-4,#0a6b3d)",
                                              "var(--series-5,#8a6100)", "var(--series-6,#9c2f68)"};
constexpr std::array<const char*, 4> kDashes{"none", "7 3", "2 3", "9 3 2 3"};

const char* colour(std::size_t i) { return kColours[i % kColours.size()]; }
// With the colours, 24 different looks.
std::size_t look(std::size_t i) { return (i + i / kColours.size()) % kDashes.size(); }
const char* dash(std::size_t i) { return kDashes[look(i)]; }

// A mark of about 8 by 8, of a shape that belongs to the series.
std::string marker(std::size_t i, double x, double y) {
  const std::string fill = fmt::format("fill=\"{}\"", colour(i));
  switch (look(i)) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\" {}/>", x, y, fill);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.6\" height=\"6.6\" {}/>", x - 3.3,
                         y - 3.3, fill);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4 7h-8z\" {}/>", x, y - 4.2, fill);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4.4 4.4-4.4 4.4-4.4-4.4z\" {}/>", x, y - 4.4, fill);
  }
}

// A round step so that about `count` of them span `range`.
double roundStep(double range, int count) {
  const double raw = range / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) return factor * power;
  }
  return 10 * power;
}

// Maps values to pixels and knows where its ticks are.
struct Axis {
  double low, high;  // values
  double from, to;   // pixels
  bool logarithmic = false;

  double at(double value) const {
    const double share =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + share * (to - from);
  }

  std::vector<double> ticks(int count) const {
    std::vector<double> result;
    if (logarithmic) {
      for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high * 1.0001; decade *= 10) {
        for (const double factor : {1.0, 2.0, 5.0}) {
          const double value = decade * factor;
          if (value >= low * 0.9999 && value <= high * 1.0001) result.push_back(value);
        }
      }
      return result;
    }
    const double step = roundStep(high - low, count);
    for (double value = std::ceil(low / step - 1e-6) * step; value <= high + step * 1e-6; value += step)
      result.push_back(std::abs(value) < step * 1e-6 ? 0 : value);
    return result;
  }
};

std::string number(double value) { return value >= 1000 ? grouped(value) : fmt::format("{:g}", value); }

std::string percentTick(double fraction) { return fmt::format("{:g} %", std::round(fraction * 1e6) / 1e4); }

std::string text(double x, double y, const char* anchor, std::string_view words, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor, more,
                     escaped(words));
}

std::string rule(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>", x1, y1, x2, y2,
                     style);
}

constexpr const char* kGrid = "stroke=\"var(--line,#dddedb)\"";
constexpr const char* kZero = "stroke=\"var(--quiet,#5a6066)\"";

std::string opening(double width, double height, const PlotLabels& labels) {
  return fmt::format(
      "<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" style=\"max-width:{0:.0f}px\" role=\"img\" aria-label=\"{2}\">",
      width, height, escaped(labels.title));
}

// Positions near `wanted`, in the same order, at least `gap` apart and within [low, high] if they fit.
std::vector<double> spreadOut(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(wanted[i], i); });
  std::vector<double> result = wanted;
  double next = low;
  for (const std::size_t i : order) {
    result[i] = std::max(result[i], next);
    next = result[i] + gap;
  }
  next = high;
  for (std::size_t k = order.size(); k > 0; --k) {
    result[order[k - 1]] = std::min(result[order[k - 1]], next);
    next = result[order[k - 1]] - gap;
  }
  return result;
}

// A picture on no page: not everything that draws SVG knows variables of CSS.
std::string alone(const std::string& svg) {
  static const std::regex variable("var\\(--[a-z0-9-]+,([^)]+)\\)");
  return std::regex_replace(svg, variable, "$1");
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string linePlot(const std::vector<Series>& series, const PlotLabels& labels) {
  constexpr double kWidth = 720, kLeft = 62, kRight = 560, kTop = 14, kLabelGap = 15;
  const double bottom = std::max(300.0, kTop + kLabelGap * static_cast<double>(series.size() + 1));
  double x_low = 1e300, x_high = 0, y_low = 0, y_high = 0;
  for (const Series& line : series) {
    for (const double x : line.x) x_low = std::min(x_low, x), x_high = std::max(x_high, x);
    for (const double y : line.y) y_low = std::min(y_low, y), y_high = std::max(y_high, y);
  }
  if (x_high <= x_low) return "<p>Nothing to plot.</p>";
  if (y_high - y_low < 1e-6) y_high = y_low + 0.01;
  const Axis x{x_low, x_high, kLeft, kRight, true};
  const Axis y{y_low, y_high * 1.04, bottom, kTop};

  std::string svg = opening(kWidth, bottom + 44, labels);
  for (const double tick : y.ticks(6)) {
    svg += rule(kLeft, y.at(tick), kRight, y.at(tick), tick == 0 ? kZero : kGrid);
    svg += text(kLeft - 6, y.at(tick) + 4, "end", percentTick(tick));
  }
  for (const double tick : x.ticks(0)) {
    svg += rule(x.at(tick), bottom, x.at(tick), bottom + 5, kZero);
    svg += text(x.at(tick), bottom + 19, "middle", number(tick));
  }
  svg += text((kLeft + kRight) / 2, bottom + 38, "middle", labels.x);
  svg += text(14, (kTop + bottom) / 2, "middle", labels.y,
              fmt::format(" transform=\"rotate(-90 14 {:.1f})\"", (kTop + bottom) / 2).c_str());

  std::vector<double> ends;
  for (const Series& line : series) ends.push_back(y.at(line.y.back()));
  const std::vector<double> places = spreadOut(ends, kLabelGap, kTop + 4, bottom);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Series& line = series[i];
    std::string path;
    // Best so far: it stays until it gets better.
    for (std::size_t k = 0; k < line.x.size(); ++k) {
      path += k == 0 ? fmt::format("M{:.1f} {:.1f}", x.at(line.x[k]), y.at(line.y[k]))
                     : fmt::format("H{:.1f}V{:.1f}", x.at(line.x[k]), y.at(line.y[k]));
    }
    svg += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\"/>", path,
        colour(i), dash(i));
    // Marks at other places for each, so that they do not cover one another.
    for (std::size_t k = 4 + 3 * i % 11; k < line.x.size(); k += 12)
      svg += marker(i, x.at(line.x[k]), y.at(line.y[k]));
    svg += rule(kRight, ends[i], kRight + 14, places[i], fmt::format("stroke=\"{}\"", colour(i)).c_str());
    svg += marker(i, kRight + 20, places[i]);
    svg +=
        text(kRight + 29, places[i] + 4, "start", line.name, fmt::format(" fill=\"{}\"", colour(i)).c_str());
  }
  return svg + "</svg>";
}

std::string intervalPlot(const std::vector<Bar>& bars, const PlotLabels& labels) {
  constexpr double kWidth = 590, kLeft = 140, kRight = 372, kTop = 8, kLine = 22;
  const double bottom = kTop + kLine * static_cast<double>(bars.size());
  double low = 0, high = 0;
  for (const Bar& bar : bars) {
    const Interval reach = bar.interval.value_or(Interval{bar.value, bar.value});
    low = std::min(low, reach.low), high = std::max(high, reach.high);
  }
  if (high - low < 1e-6) high = low + 0.01;
  const Axis x{low, high + 0.02 * (high - low), kLeft, kRight};

  std::string svg = opening(kWidth, bottom + 42, labels);
  for (const double tick : x.ticks(4)) {
    svg += rule(x.at(tick), kTop, x.at(tick), bottom, tick == 0 ? kZero : kGrid);
    svg += text(x.at(tick), bottom + 16, "middle", percentTick(tick));
  }
  svg += text((kLeft + kRight) / 2, bottom + 35, "middle", labels.x);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const double y = kTop + kLine * (static_cast<double>(i) + 0.5);
    const char* weight = i == 0 ? " font-weight=\"700\"" : "";
    svg += text(kLeft - 10, y + 4, "end", bar.name, weight);
    if (bar.interval) {
      const auto [from, to] = *bar.interval;
      svg += rule(x.at(from), y, x.at(to), y, "stroke=\"var(--accent,#0b6577)\" stroke-width=\"2\"");
      for (const double end : {from, to})
        svg +=
            rule(x.at(end), y - 4, x.at(end), y + 4, "stroke=\"var(--accent,#0b6577)\" stroke-width=\"2\"");
    }
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"var(--accent,#0b6577)\"/>",
                       x.at(bar.value), y);
    svg += text(kRight + 14, y + 4, "start", bar.text, weight);
  }
  return svg + "</svg>";
}

std::pair<Scatter::Dot, Scatter::Dot> Scatter::window() const {
  Dot low = reference, high = reference;
  for (const auto& [x, y] : front) {
    low = {std::min(low.first, x), std::min(low.second, y)};
    high = {std::max(high.first, x), std::max(high.second, y)};
  }
  const auto widen = [](double& from, double& to) {
    const double range = to > from ? to - from : std::max(1.0, 0.01 * std::abs(to));
    from -= 0.08 * range;
    to += 0.35 * range;
  };
  widen(low.first, high.first);
  widen(low.second, high.second);
  return {low, high};
}

std::string scatterPlot(const Scatter& scatter, const PlotLabels& labels) {
  constexpr double kWidth = 640, kLeft = 84, kRight = 620, kTop = 14, kBottom = 380;
  const auto [low, high] = scatter.window();
  const Axis x{low.first, high.first, kLeft, kRight};
  const Axis y{low.second, high.second, kBottom, kTop};

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"{2}\">"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
      kWidth, kBottom + 68, escaped(labels.title));
  for (const double tick : y.ticks(6)) {
    svg += rule(kLeft, y.at(tick), kRight, y.at(tick), kGrid);
    svg += text(kLeft - 6, y.at(tick) + 4, "end", number(tick));
  }
  for (const double tick : x.ticks(6)) {
    svg += rule(x.at(tick), kTop, x.at(tick), kBottom, kGrid);
    svg += text(x.at(tick), kBottom + 18, "middle", number(tick));
  }
  svg += text((kLeft + kRight) / 2, kBottom + 38, "middle", labels.x);
  svg += text(16, (kTop + kBottom) / 2, "middle", labels.y,
              fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", (kTop + kBottom) / 2).c_str());
  svg += text((kLeft + kRight) / 2, kBottom + 58, "middle",
              fmt::format("{}; square: {}; grey: other programs seen", labels.title, scatter.reference_name));

  // Of those that fall on one pixel one is enough.
  std::set<std::pair<long, long>> pixels;
  for (const auto& [at_x, at_y] : scatter.cloud) {
    if (at_x <= high.first && at_y <= high.second)
      pixels.insert({std::lround(x.at(at_x)), std::lround(y.at(at_y))});
  }
  std::string dots;
  for (const auto& [at_x, at_y] : pixels) dots += fmt::format("M{} {}h0", at_x, at_y);
  svg += fmt::format("<path d=\"{}\" stroke=\"#aaa\" stroke-width=\"3\" stroke-linecap=\"round\"/>", dots);

  std::string stairs;
  for (const auto& [at_x, at_y] : scatter.front) {
    stairs += stairs.empty() ? fmt::format("M{:.1f} {:.1f}", x.at(at_x), y.at(at_y))
                             : fmt::format("H{:.1f}V{:.1f}", x.at(at_x), y.at(at_y));
  }
  if (scatter.stairs)
    svg +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>", stairs, colour(0));
  svg += marker(1, x.at(scatter.reference.first), y.at(scatter.reference.second));
  for (std::size_t i = 0; i < scatter.front.size(); ++i) {
    const double at_x = x.at(scatter.front[i].first), at_y = y.at(scatter.front[i].second);
    svg += marker(0, at_x, at_y);
    svg += text(at_x + 6, at_y - 6, "start", std::to_string(i + 1));
  }
  return alone(svg) + "</svg>\n";
}

}  // namespace ordo::report
