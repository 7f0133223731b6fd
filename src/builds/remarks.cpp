#include "builds/remarks.h"

#include <fmt/format.h>

#include "recipe/order.h"

namespace ordo::builds {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

std::string argument(std::string_view key, std::string_view value) {
  return fmt::format("  - {:16} {}\n", fmt::format("{}:", key), quoted(value));
}

std::string said(std::string_view text) { return argument("String", text); }

std::string namesOf(std::string_view order) {
  const Result<recipe::Order> read = recipe::readOrder(order, "order");
  std::string names;
  for (const env::Action& action : read ? read->actions : std::vector<env::Action>{})
    names += (names.empty() ? "" : ",") + action.name;
  return names;
}

}  // namespace

std::string remarkOf(std::string_view source, const LogLine& line, std::string_view order) {
  const bool applied = !order.empty() && line.reason.empty();
  const bool decided = !line.objective.empty() && line.reason.empty();
  std::string text = fmt::format("--- !{}\n", applied   ? "Passed"
                                              : decided ? "Missed"
                                                        : "Analysis") +
                     fmt::format("Pass:            ordo\nName:            {}\n", applied   ? "Recipe"
                                                                                 : decided ? "NoRecipe"
                                                                                           : "LeftAlone") +
                     fmt::format("DebugLoc:        {{ File: {}, Line: 1, Column: 0 }}\n", quoted(source)) +
                     fmt::format("Function:        {}\nArgs:\n", quoted(source));
  if (applied) {
    text += argument("Objective", line.objective) + said(" from ") +
            argument("Baseline", fmt::format("{:.0f}", line.baseline)) + said(" to ") +
            argument("Tuned", fmt::format("{:.0f}", line.tuned)) + said(" with the recipe ") +
            argument("Recipe", namesOf(order));
  } else if (decided) {
    text += said("no recipe makes it better than the compiler's own passes: ") +
            argument("Objective", line.objective) + said(" ") +
            argument("Baseline", fmt::format("{:.0f}", line.baseline));
  } else {
    text += said("left to the compiler: ") + argument("Reason", line.reason);
  }
  return text + "...\n";
}

}  // namespace ordo::builds
