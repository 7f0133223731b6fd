#include "harvest/licence.h"

#include <algorithm>
#include <vector>

namespace ordo::harvest {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

}  // namespace

std::string licenceOf(std::string_view copyright) {
  constexpr std::string_view kField = "License:";
  bool readable = false;
  std::vector<std::string_view> names;
  while (!copyright.empty()) {
    const std::size_t end = std::min(copyright.find('\n'), copyright.size());
    const std::string_view line = copyright.substr(0, end);
    copyright.remove_prefix(std::min(end + 1, copyright.size()));
    if (line.starts_with("Format:") || line.starts_with("Format-Specification:")) readable = true;
    if (!line.starts_with(kField)) continue;
    const std::string_view name = trimmed(line.substr(kField.size()));
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (!readable || names.empty()) return "see debian/copyright";
  std::string list;
  for (const std::string_view name : names) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  return list;
}

}  // namespace ordo::harvest
