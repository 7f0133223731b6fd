#include "report/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/error.h"
#include "support/text.h"

namespace ordo::report {
namespace {

constexpr std::size_t kRows = 14;
constexpr char kCloud = '.', kReference = 'R';

}  // namespace

std::string characterPlot(const Scatter& scatter, const PlotLabels& labels, std::size_t width) {
  ORDO_CHECK(!scatter.front.empty() && width >= 72, "{} points, {} columns", scatter.front.size(), width);
  const auto [low, high] = scatter.window();
  const std::string top = grouped(high.second), bottom = grouped(low.second);
  const std::size_t margin = std::max(top.size(), bottom.size());
  const std::size_t columns = std::min<std::size_t>(width - margin - 2, 60);

  std::vector<std::string> rows(kRows, std::string(columns, ' '));
  const auto put = [&, low = low, high = high](const Scatter::Dot& dot, char mark) {
    if (dot.first > high.first || dot.second > high.second) return;
    const auto cell = [](double value, double from, double to, std::size_t cells) {
      return static_cast<std::size_t>(
          std::clamp(std::lround((value - from) / (to - from) * static_cast<double>(cells - 1)), 0L,
                     static_cast<long>(cells) - 1));
    };
    rows[kRows - 1 - cell(dot.second, low.second, high.second, kRows)]
        [cell(dot.first, low.first, high.first, columns)] = mark;
  };
  for (const Scatter::Dot& dot : scatter.cloud) put(dot, kCloud);
  put(scatter.reference, kReference);
  // Backwards, so that of two in one cell the first is seen.
  for (std::size_t i = scatter.front.size(); i-- > 0;)
    put(scatter.front[i], i < 9 ? static_cast<char>('1' + i) : static_cast<char>('a' + (i - 9) % 26));

  std::string text = fmt::format("{:>{}} {}\n", "", margin, labels.y);
  for (std::size_t row = 0; row < kRows; ++row) {
    std::string line = fmt::format("{:>{}} {}", row == 0 ? top : row + 1 == kRows ? bottom : "", margin, "|");
    line += rows[row];
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += fmt::format("{:>{}} +{:-<{}}\n", "", margin, "", columns);
  const std::string left = grouped(low.first), right = grouped(high.first);
  text += fmt::format("{:>{}}  {}{:^{}}{}\n", "", margin, left, labels.x,
                      std::max(columns, left.size() + right.size()) - left.size() - right.size(), right);
  return text + fmt::format("{:>{}}  1, 2, ...: the front; {}: {}; {}: others seen\n", "", margin, kReference,
                            scatter.reference_name, kCloud);
}

}  // namespace ordo::report
