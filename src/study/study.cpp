#include "study/study.h"

#include <algorithm>

namespace ordo::study {

std::vector<std::uint64_t> budgetsOf(std::uint64_t compiles) {
  std::vector<std::uint64_t> budgets;
  for (std::uint64_t budget = 10; budget < compiles; budget *= 10) budgets.push_back(budget);
  budgets.push_back(compiles);
  return budgets;
}

std::optional<double> valueOf(const std::vector<Figure>& figures, std::string_view metric) {
  const auto found = std::ranges::find(figures, metric, &Figure::metric);
  return found == figures.end() ? std::nullopt : std::optional(found->value);
}

std::optional<double> valueOf(const Program& program, std::string_view baseline, std::string_view metric) {
  for (const Reference& reference : program.references) {
    if (reference.baseline == baseline && reference.metric == metric) return reference.value;
  }
  return std::nullopt;
}

}  // namespace ordo::study
