#include "web/calls.h"

#include <algorithm>

#include "shell/ir_diff.h"
#include "support/symbol.h"

namespace ordo::web {
namespace {

// What a call in `line` names: the first global that is followed by arguments. "" if there is none.
std::string calleeOf(std::string_view line) {
  for (const std::string_view word : {"call ", "invoke ", "callbr "}) {
    const std::size_t call = line.find(word);
    if (call == std::string_view::npos || (call > 0 && line[call - 1] != ' ')) continue;
    for (std::size_t at = line.find('@', call); at != std::string_view::npos; at = line.find('@', at + 1)) {
      std::size_t length = 0;
      std::string name = symbolOfIr(line.substr(at + 1), length);
      if (line.substr(at + 1 + length).starts_with('(')) return name;
    }
    return "";
  }
  return "";
}

}  // namespace

std::vector<Caller> callsIn(std::string_view ir) {
  std::vector<Caller> callers;
  for (const shell::IrPart& part : shell::splitIr(ir)) {
    const auto defines = [](std::string_view line) { return line.starts_with("define "); };
    if (part.name.empty() || std::ranges::none_of(part.lines, defines)) continue;
    Caller& caller = callers.emplace_back(Caller{part.name, part.lines.size(), {}});
    for (const std::string_view line : part.lines) {
      const std::string callee = calleeOf(line);
      if (callee.empty() || callee.starts_with("llvm.")) continue;
      if (std::ranges::find(caller.callees, callee) == caller.callees.end())
        caller.callees.emplace_back(callee);
    }
  }
  return callers;
}

}  // namespace ordo::web
