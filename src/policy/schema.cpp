#include "policy/schema.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ordo::policy {
namespace {

// Cuts the text before the next `end` off `rest`, and `end` too.
std::string_view next(std::string_view& rest, char end) {
  const std::string_view text = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(text.size() + 1, rest.size()));
  return text;
}

bool belongs(const FeatureGroup& group, std::string_view name) {
  return group.name.starts_with(name) && (group.name.size() == name.size() || group.name[name.size()] == '.');
}

}  // namespace

std::vector<FeatureGroup> groupsOf(std::string_view schema) {
  std::vector<FeatureGroup> groups;
  while (!schema.empty()) {
    std::string_view line = next(schema, '\n');
    FeatureGroup& group = groups.emplace_back(FeatureGroup{next(line, '\t')});
    next(line, '\t');  // the version
    const std::string_view width = next(line, '\t');
    const auto read = std::from_chars(width.begin(), width.end(), group.width);
    ORDO_CHECK(read.ec == std::errc(), "the schema has '{}' as the width of {}", width, group.name);
  }
  return groups;
}

Result<std::vector<std::uint8_t>> featuresOf(std::string_view schema, std::span<const std::string> names) {
  const std::vector<FeatureGroup> groups = groupsOf(schema);
  for (const std::string& name : names) {
    if (std::ranges::any_of(groups, [&](const FeatureGroup& group) { return belongs(group, name); }))
      continue;
    std::vector<std::string_view> known;
    for (const FeatureGroup& group : groups) known.push_back(group.name);
    return fail(ErrorCode::kInvalidArgument, "no features '{}'; there are {}", name, fmt::join(known, ", "));
  }
  std::vector<std::uint8_t> features;
  for (const FeatureGroup& group : groups) {
    const bool named =
        std::ranges::any_of(names, [&](const std::string& name) { return belongs(group, name); });
    features.insert(features.end(), group.width, named ? 1 : 0);
  }
  return features;
}

}  // namespace ordo::policy
