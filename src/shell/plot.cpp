#include "shell/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::shell {
namespace {

constexpr std::size_t kRows = 12;  // about

struct Glyphs {
  const char* parts[9];  // an empty cell to a full one, in eighths
  const char *axis, *tick, *corner, *floor, *reference;
};

constexpr Glyphs kBlocks{{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "│", "┤", "└", "─", "╌"};
constexpr Glyphs kAscii{{" ", ".", ".", ".", ".", "#", "#", "#", "#"}, "|", "+", "+", "-", "-"};

// The vertical axis: `ticks` distances of `tick` each, upwards from `low`, `rows_per_tick` rows each.
struct Axis {
  double low, tick;
  std::size_t ticks, rows_per_tick;

  std::size_t rows() const { return ticks * rows_per_tick; }
  // How many rows high a value is.
  double height(double value) const { return (value - low) / tick * static_cast<double>(rows_per_tick); }
};

Axis axisFor(double low, double high) {
  const double range = high > low ? high - low : std::max(std::abs(high) * 0.1, 1.0);
  // 1, 2 or 5 times a power of ten, so that there are three to eight of them.
  const double rough = range / 4;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double lead = rough / power;
  const double tick = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  // The lowest bar should be seen, so it does not end on the axis, unless it is nothing.
  double bottom = std::floor(low / tick) * tick;
  if (low > 0 && low - bottom < tick / 8) bottom -= tick;
  if (low >= 0) bottom = std::max(bottom, 0.0);
  const auto ticks = static_cast<std::size_t>(std::max(1.0, std::ceil((high - bottom) / tick - 1e-9)));
  return {bottom, tick, ticks, std::max<std::size_t>(1, kRows / ticks)};
}

std::string label(double value, double tick) {
  return tick >= 1 ? grouped(value)
                   : fmt::format("{:.{}f}", value, static_cast<int>(std::ceil(-std::log10(tick))));
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

std::string plot(std::string_view title, const std::vector<double>& values,
                 const std::optional<Reference>& reference, const Style& style) {
  ORDO_CHECK(!values.empty(), "nothing to plot");
  const Glyphs& glyphs = style.utf8 ? kBlocks : kAscii;
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  const Axis axis = axisFor(reference ? std::min(*low, reference->second) : *low,
                            reference ? std::max(*high, reference->second) : *high);
  std::size_t label_width = 0;
  for (std::size_t i = 0; i <= axis.ticks; ++i) {
    label_width =
        std::max(label_width, label(axis.low + axis.tick * static_cast<double>(i), axis.tick).size());
  }
  const std::string note =
      reference ? fmt::format(" {} {}", reference->first, grouped(reference->second)) : "";

  // Bars of up to three columns and a space between them while there is room.
  const std::size_t margin = label_width + 3 + note.size();
  const std::size_t room = style.width > margin + 10 ? style.width - margin : 10;
  const std::size_t steps_per_bar = (values.size() + room - 1) / room;
  const std::size_t bars = (values.size() + steps_per_bar - 1) / steps_per_bar;
  const std::size_t pitch = std::clamp<std::size_t>(room / bars, 1, 4);
  const std::size_t bar_width = pitch > 1 ? pitch - 1 : 1;
  const auto last_step = [&](std::size_t bar) {
    return std::min((bar + 1) * steps_per_bar, values.size()) - 1;
  };

  std::string text = fmt::format("{}\n", title);
  for (std::size_t row = axis.rows(); row-- > 0;) {
    const bool at_tick = (row + 1) % axis.rows_per_tick == 0;
    const double top =
        axis.low + axis.tick * static_cast<double>(row + 1) / static_cast<double>(axis.rows_per_tick);
    text += fmt::format("{:>{}} {}", at_tick ? label(top, axis.tick) : "", label_width,
                        at_tick ? glyphs.tick : glyphs.axis);
    const double level = reference ? std::max(axis.height(reference->second) - 1e-9, 0.0) : -1;
    const bool marked = reference && static_cast<std::size_t>(level) == row;
    const std::string empty = marked ? paint(style, Color::kCyan, glyphs.reference) : " ";
    std::string line;
    for (std::size_t bar = 0; bar < bars; ++bar) {
      const double part = axis.height(values[last_step(bar)]) - static_cast<double>(row);
      const auto eighths = static_cast<std::size_t>(std::clamp(std::lround(part * 8), 0L, 8L));
      line += repeat(eighths == 0 ? empty : std::string_view(glyphs.parts[eighths]), bar_width);
      line += repeat(empty, pitch - bar_width);
    }
    if (marked) line += paint(style, Color::kCyan, note);
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  text += fmt::format("{:>{}} {}{}\n", label(axis.low, axis.tick), label_width, glyphs.corner,
                      repeat(glyphs.floor, bars * pitch));

  // Every step's number if they fit, else every 2nd, 5th, 10th bar's and so on.
  const std::size_t digits = std::to_string(values.size() - 1).size() + 1;
  std::size_t every = 1;
  for (std::size_t i = 0; every * pitch < digits; ++i) every = every * (i % 3 == 1 ? 5 : 4) / 2;
  std::string numbers;
  for (std::size_t bar = 0; bar < bars; bar += every) {
    numbers += fmt::format("{:<{}}", last_step(bar), every * pitch);
  }
  numbers.resize(numbers.find_last_not_of(' ') + 1);
  text += fmt::format("{:{}}{}  step\n", "", label_width + 2, numbers);
  if (steps_per_bar > 1) text += fmt::format("(one bar for {} steps)\n", steps_per_bar);
  return text;
}

}  // namespace ordo::shell
