#include "web/assembly.h"

namespace ordo::web {
namespace {

// ".type name,@function": the name; "" for any other line.
std::string_view functionOf(std::string_view line) {
  constexpr std::string_view kType = "\t.type\t", kFunction = ",@function";
  const std::size_t end = line.find(kFunction);
  if (!line.starts_with(kType) || end == std::string_view::npos) return {};
  return line.substr(kType.size(), end - kType.size());
}

bool saysLittle(std::string_view line) {
  return line.starts_with("\t.cfi_") || line.starts_with("\t.p2align") || line.starts_with("\t.size") ||
         line.starts_with("# %bb") || line.find("-- Begin function") != std::string_view::npos;
}

}  // namespace

std::vector<AssemblyPart> splitAssembly(std::string_view text) {
  std::vector<AssemblyPart> parts;
  std::string_view announced;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (const std::string_view name = functionOf(line); !name.empty()) {
      announced = name;
    } else if (!announced.empty() && line.starts_with(announced) &&
               line.substr(announced.size()).starts_with(":")) {
      parts.push_back({std::string(announced), std::string(line) + "\n"});
      announced = {};
      inside = true;
    } else if (line.starts_with(".Lfunc_end")) {
      inside = false;
    } else if (inside && !saysLittle(line)) {
      parts.back().text += std::string(line) + "\n";
    }
  }
  return parts;
}

}  // namespace ordo::web
