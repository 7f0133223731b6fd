#include "support/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace ordo {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const std::string& name : names) {
    const std::size_t distance = editDistance(word, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string unknownName(std::string_view kind, std::string_view word, const std::vector<std::string>& names) {
  const std::string guess = nearest(word, names);
  std::string text = fmt::format("unknown {} '{}'", kind, word);
  if (!guess.empty()) text += fmt::format("; did you mean '{}'?", guess);
  if (names.size() <= 20)
    text += fmt::format("{} known: {}", guess.empty() ? ";" : "", fmt::join(names, ", "));
  return text;
}

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
  return (value < 0 ? "-" : "") + digits;
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string change(double baseline, double tuned) {
  if (baseline == 0) return tuned == 0 ? "0.00 %" : "n/a";
  const double percent = (tuned - baseline) / baseline * 100;
  return std::abs(percent) < 0.005 ? "0.00 %" : fmt::format("{:+.2f} %", percent);
}

}  // namespace ordo
