#include "projects/compile_commands.h"

#include <optional>

#include "support/json.h"

namespace ordo::projects {
namespace {

// The words of a line as the database's specification has it: quotes and backslashes are a shell's, nothing
// else is. Nothing if a quote does not end.
std::optional<std::vector<std::string>> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;  // of a word
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < line.size() &&
        (quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\'))
      words.back() += line[++i];
    else if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else
      words.back() += c;
  }
  if (quote != 0) return std::nullopt;
  return words;
}

Result<CompileCommand> commandFrom(const JsonObject& entry) {
  CompileCommand command;
  ORDO_TRY_ASSIGN(command.folder, entry.get<std::string>("directory"));
  ORDO_TRY_ASSIGN(command.words, entry.get<std::vector<std::string>>("arguments", {}));
  if (command.words.empty()) {
    ORDO_TRY_ASSIGN(const std::string line, entry.get<std::string>("command"));
    std::optional<std::vector<std::string>> words = wordsOf(line);
    if (!words)
      return fail(ErrorCode::kCorrupt, "{}: a quote in 'command' does not end: {}", entry.where(), line);
    command.words = *std::move(words);
  }
  if (command.words.empty()) return fail(ErrorCode::kCorrupt, "{}: 'command' is empty", entry.where());
  return command;
}

}  // namespace

Result<std::vector<CompileCommand>> parseCompileCommands(std::string_view text, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, name));
  if (!json.is_array()) return fail(ErrorCode::kCorrupt, "{}: not a list of compile commands", name);
  std::vector<CompileCommand> commands;
  for (const Json& item : json) {
    ORDO_TRY_ASSIGN(const JsonObject entry,
                    JsonObject::of(item, fmt::format("{}: entry {}", name, commands.size() + 1)));
    ORDO_TRY_ASSIGN(CompileCommand command, commandFrom(entry));
    commands.push_back(std::move(command));
  }
  return commands;
}

}  // namespace ordo::projects
