#include "study/study.h"

#include <algorithm>

#include "env/preference.h"

namespace ordo::study {

std::vector<std::uint64_t> budgetsOf(std::uint64_t compiles) {
  std::vector<std::uint64_t> budgets;
  for (std::uint64_t budget = 10; budget < compiles; budget *= 10) budgets.push_back(budget);
  budgets.push_back(compiles);
  return budgets;
}

std::optional<double> valueOf(const std::vector<Figure>& figures, std::string_view objective) {
  const auto preference = env::parsePreference(objective);
  if (!preference) return std::nullopt;
  std::vector<double> values;
  for (const env::Preference::Part& part : preference->parts) {
    const auto found = std::ranges::find(figures, part.metric, &Figure::metric);
    if (found == figures.end()) return std::nullopt;
    values.push_back(found->value);
  }
  return preference->value(values);
}

std::optional<double> valueOf(const Program& program, std::string_view baseline, std::string_view objective) {
  std::vector<Figure> figures;
  for (const Reference& reference : program.references) {
    if (reference.baseline == baseline) figures.push_back({reference.metric, reference.value});
  }
  return valueOf(figures, objective);
}

}  // namespace ordo::study
