#include "search/evaluation/budget_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ordo::search {

Result<Budget> parseBudget(std::string_view text) {
  Budget budget;
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::kInvalidArgument,
                "the budget '{}': {}; write for example 10s, 2m, 2000evals or 30s,5000evals", text, what);
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, comma - begin);
    begin = comma + 1;
    double number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return wrong("a limit should begin with a number");
    if (number <= 0) return wrong("a search needs some budget");
    const std::string_view unit(end, static_cast<std::size_t>(part.data() + part.size() - end));
    if (unit.empty() || unit == "s")
      budget.seconds = number;
    else if (unit == "ms")
      budget.seconds = number / 1000;
    else if (unit == "m" || unit == "min")
      budget.seconds = number * 60;
    else if (unit == "h")
      budget.seconds = number * 3600;
    else if (unit == "evals" || unit == "evaluations")
      budget.evaluations = number;
    else if (unit == "passes")
      budget.passes = number;
    else
      return wrong(fmt::format("there is no unit '{}'", unit));
  }
  return budget;
}

}  // namespace ordo::search
