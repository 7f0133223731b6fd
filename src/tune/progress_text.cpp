#include "tune/progress_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/text.h"

namespace ordo::tune {

std::string leftText(const search::Budget& budget, const search::Statistics& statistics, double seconds) {
  if (std::isfinite(budget.seconds))
    return fmt::format("{:.0f} s left", std::max(budget.seconds - seconds, 0.0));
  const double evaluations = budget.evaluations - static_cast<double>(statistics.evaluations);
  if (!std::isfinite(evaluations)) return "";
  return fmt::format("{} sequences left", grouped(std::max(evaluations, 0.0)));
}

std::string progressText(const std::string& name, const std::string& phase, double baseline,
                         const search::Statistics& statistics, const std::string& left) {
  std::string text = fmt::format("{}  {}", name, phase);
  if (statistics.best && baseline > 0)
    text += fmt::format("  best {} ({})", grouped(*statistics.best), change(baseline, *statistics.best));
  if (statistics.evaluations > 0) {
    const auto evaluations = static_cast<double>(statistics.evaluations);
    const double hits = static_cast<double>(statistics.sequence_hits + statistics.duplicate_hits);
    text += fmt::format("  {} sequences, {:.0f}/s, {:.0f} % known", grouped(evaluations),
                        evaluations / std::max(statistics.seconds, 1e-3), 100 * hits / evaluations);
  }
  return left.empty() ? text : text + "  " + left;
}

}  // namespace ordo::tune
