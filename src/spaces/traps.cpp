#include "spaces/traps.h"

#include <algorithm>
#include <sstream>

namespace ordo::spaces {
namespace {

bool fits(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

}  // namespace

Result<std::vector<TrapRule>> parseTraps(std::string_view text) {
  std::vector<TrapRule> rules;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.find(' ');
    const std::size_t colon = line.find(": ");
    if (space == std::string::npos || colon == std::string::npos || colon < space ||
        colon + 2 == line.size()) {
      return fail(ErrorCode::kCorrupt, "line {}: not 'kind pattern: reason'", number);
    }
    const std::optional<TrapKind> kind = trapKind(std::string_view(line).substr(0, space));
    if (!kind)
      return fail(ErrorCode::kCorrupt, "line {}: '{}' is not a kind of trap", number, line.substr(0, space));
    const std::string pattern = line.substr(space + 1, colon - space - 1);
    if (!isActionName(pattern))
      return fail(ErrorCode::kCorrupt, "line {}: '{}' is not a pattern", number, pattern);
    rules.push_back({pattern, {*kind, line.substr(colon + 2)}});
  }
  return rules;
}

Status applyTraps(const std::vector<TrapRule>& rules, Manifest& manifest) {
  for (const TrapRule& rule : rules) {
    const bool used = std::any_of(manifest.rows.begin(), manifest.rows.end(),
                                  [&](const ManifestRow& row) { return fits(rule.pattern, row.name); });
    if (!used)
      return fail(ErrorCode::kNotFound, "the trap '{}' fits no action of the manifest", rule.pattern);
  }
  for (ManifestRow& row : manifest.rows) {
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const TrapRule& r) { return fits(r.pattern, row.name); });
    row.trap = rule == rules.end() ? std::nullopt : std::optional(rule->trap);
  }
  return {};
}

}  // namespace ordo::spaces
