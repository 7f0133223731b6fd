#include "embedding/vocabulary.h"

#include <fmt/format.h>

#include <array>

namespace ordo::embedding {
namespace {

constexpr std::array<std::string_view, 3> kSections = {"Opcodes", "Types", "Arguments"};

// Which section LLVM looks for `name` in.
std::string_view section(std::string_view name) {
  if (name.ends_with("Ty")) return "Types";
  for (const std::string_view kind : {"Function", "Pointer", "Constant", "Variable"}) {
    if (name == kind) return "Arguments";
  }
  return name.starts_with("ICMP_") || name.starts_with("FCMP_") ? "Arguments" : "Opcodes";
}

}  // namespace

std::string writeVocabulary(const std::vector<std::string>& names, const Transe& model) {
  ORDO_CHECK(names.size() == model.entities(), "{} names of {} entities", names.size(), model.entities());
  std::string text = "{";
  for (const std::string_view wanted : kSections) {
    text += fmt::format("{}\n\"{}\": {{", wanted == kSections[0] ? "" : ",", wanted);
    bool first = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (section(names[i]) != wanted) continue;
      text += fmt::format("{}\n\"{}\": [", first ? "" : ",", names[i]);
      first = false;
      for (std::size_t j = 0; j < model.dim(); ++j) {
        text += fmt::format("{}{:.6f}", j == 0 ? "" : ",", model.entity(i)[j]);
      }
      text += ']';
    }
    text += '}';
  }
  return text + "}\n";
}

}  // namespace ordo::embedding
