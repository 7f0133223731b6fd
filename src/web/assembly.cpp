// Whose a label is says the comment that LLVM puts behind it, `# @"gr\C3\B6\C3\9Fe"`: the name in the IR, of
// which the assembler's may be another (quoted, ".Lname", "__unnamed_1").
#include "web/assembly.h"

#include <algorithm>

#include "support/symbol.h"

namespace ordo::web {
namespace {

// `.type name,@function`, or `%function` where '@' begins a comment: the name as it stands there, with its
// quotes; "" for any other line.
std::string_view functionOf(std::string_view line) {
  constexpr std::string_view kType = "\t.type\t";
  if (!line.starts_with(kType)) return {};
  line.remove_prefix(kType.size());
  std::size_t end = line.find(',');
  if (line.starts_with('"')) {
    end = 1;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    ++end;
  }
  if (end >= line.size()) return {};
  // A comment may follow.
  const std::string_view rest = line.substr(end);
  return rest.starts_with(",@function") || rest.starts_with(",%function") ? line.substr(0, end)
                                                                          : std::string_view();
}

// Of a label and what stands behind its colon.
std::string nameOf(std::string_view label, std::string_view behind) {
  for (const std::string_view comment : {"# @", "// @", "@ @"}) {
    const std::size_t at = behind.find_first_not_of(' ');
    if (at != std::string_view::npos && behind.substr(at).starts_with(comment))
      return symbolOfIr(behind.substr(at + comment.size()));
  }
  if (label.size() >= 2 && label.starts_with('"')) label = label.substr(1, label.size() - 2);
  return shownSymbol(unescapedSymbol(label));
}

// A line may have the bytes of a name that is no UTF-8.
std::string shownLine(std::string_view line) {
  std::string shown;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of("\t\\", begin), line.size());
    shown += shownSymbol(line.substr(begin, end - begin));
    if (end < line.size()) shown += line[end];
    begin = end + 1;
  }
  return shown + "\n";
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
      parts.push_back({nameOf(announced, line.substr(announced.size() + 1)), shownLine(line)});
      announced = {};
      inside = true;
    } else if (line.starts_with(".Lfunc_end")) {
      inside = false;
    } else if (inside && !saysLittle(line)) {
      parts.back().text += shownLine(line);
    }
  }
  return parts;
}

}  // namespace ordo::web
