// Commands about the program's text.
#include <algorithm>

#include "shell/command.h"
#include "shell/ir_diff.h"
#include "shell/line_diff.h"
#include "shell/observation_text.h"
#include "support/symbol.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::shell {
namespace {

constexpr std::size_t kDiffLines = 60;

std::string titleOf(const IrDiff::Part& part) {
  if (part.name.empty()) return "outside of functions";
  const std::string shown = demangled(part.name);
  return shown == part.name ? fmt::format("function {}", shown)
                            : fmt::format("function {} ({})", shown, part.name);
}

Result<Reply> diff(Call& call) {
  IrDiffOptions options;
  options.exact = call.take("--exact");
  const bool full = call.take("--full");
  ORDO_TRY(call.expect(0, 1));
  if (!full) options.max_lines = kDiffLines;
  std::string before, after, what;
  if (call.words.empty()) {
    ORDO_TRY_ASSIGN(before, call.bench.textBefore());
    ORDO_TRY_ASSIGN(after, call.bench.text());
    what = call.bench.appliedActions().back().name + " did";
  } else {
    ORDO_TRY_ASSIGN(const env::ActionIndex action, call.action(call.words[0]));
    ORDO_TRY_ASSIGN(before, call.bench.text());
    ORDO_TRY_ASSIGN(after, call.bench.textAfter(action));
    what = call.bench.spec().actions[action].name + " would do";
  }
  const IrDiff result = diffIr(before, after, options, call.style);
  Reply reply;
  reply.json["parts"] = Json::array();
  std::size_t hidden = 0;
  for (const IrDiff::Part& part : result.parts) {
    reply.json["parts"].push_back(
        {{"function", part.name}, {"added", part.added}, {"removed", part.removed}, {"diff", part.text}});
    if (part.text.empty()) {
      ++hidden;
      continue;
    }
    reply.text += fmt::format("{}  -{} +{}\n{}", paint(call.style, Color::kBold, titleOf(part)), part.removed,
                              part.added, part.text);
  }
  reply.json["lines_left_out"] = result.lines_left_out;
  if (result.parts.empty()) {
    reply.text =
        fmt::format("nothing that can be seen in the text is what {}{}\n", what,
                    options.exact || before == after ? "" : " (but numbers changed: --exact shows them)");
  }
  if (result.lines_left_out > 0) {
    reply.text += paint(call.style, Color::kDim,
                        fmt::format("({} more lines{}; 'diff --full' shows all)", result.lines_left_out,
                                    hidden == 0 ? "" : fmt::format(", {} more functions", hidden)));
    reply.text += '\n';
  }
  return reply;
}

Result<Reply> ir(Call& call) {
  const bool full = call.take("--full");
  ORDO_TRY(call.expect(0, 1));
  ORDO_TRY_ASSIGN(const std::string text, call.bench.text());
  std::string shown = text;
  if (!call.words.empty()) {
    const std::vector<IrPart> parts = splitIr(text);
    std::vector<std::string> names;
    for (const IrPart& part : parts) {
      if (!part.name.empty()) names.push_back(part.name);
    }
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const IrPart& part) { return part.name == call.words[0]; });
    if (found == parts.end() || found->name.empty()) {
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("function", call.words[0], names));
    }
    shown.clear();
    for (const std::string_view line : found->lines) shown += fmt::format("{}\n", line);
  }
  if (!shown.ends_with('\n')) shown += '\n';
  return Reply{full ? shown : cut(shown, call.style, "--full"), {{"ir", shown}}};
}

Result<Reply> functions(Call& call) {
  ORDO_TRY(call.expect(0, 0));
  ORDO_TRY_ASSIGN(const std::string text, call.bench.text());
  Table table{{"function", "lines", ""}, {}, {false, true, false}};
  Reply reply;
  reply.json["functions"] = Json::array();
  for (const IrPart& part : splitIr(text)) {
    if (part.name.empty()) continue;
    const std::string shown = demangled(part.name);
    table.rows.push_back({part.name, std::to_string(part.lines.size()), shown == part.name ? "" : shown});
    reply.json["functions"].push_back({{"name", part.name}, {"shown", shown}, {"lines", part.lines.size()}});
  }
  reply.text = format(table);
  return reply;
}

constexpr ShellCommand kIrCommands[] = {
    {"diff", "[ACTION] [--full] [--exact]", "what the last action did to the IR, or what ACTION would do",
     "A unified diff of each function that changed, cut after 60 lines unless --full. Unnamed values are\n"
     "numbered anew by every pass, so lines that differ in such numbers alone count as the same, and are\n"
     "shown as they are afterwards, and metadata is left out; --exact compares all of it.",
     Argument::kAction, true, diff},
    {"ir", "[FUNCTION] [--full]", "the IR of the program, or of a function", "", Argument::kFunction, true,
     ir},
    {"functions", "", "the functions of the program, with their lines of IR", "", Argument::kNone, true,
     functions},
};

}  // namespace

std::span<const ShellCommand> irCommands() { return kIrCommands; }

}  // namespace ordo::shell
