// Commands are rows of a table (catalog()), each with the function that does it and the kind of its
// arguments. runWords() finds the row and calls the function; only help and quit are done here. run() makes
// every error a part of the reply, so that whoever shows it has one case. complete() splits what stands
// before the last word as run() would, and the row says what may follow (candidates()).
#include "shell/interpreter.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "shell/ir_diff.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::shell {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string usageOf(const ShellCommand& command) {
  return fmt::format("{}{}{}", command.name, command.arguments.empty() ? "" : " ", command.arguments);
}

}  // namespace

std::vector<ShellCommand> catalog() {
  std::vector<ShellCommand> all;
  for (const std::span<const ShellCommand> group :
       {changeCommands(), lookCommands(), irCommands(), keepCommands()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  // These two are about the shell itself: Interpreter::runWords() does them.
  all.push_back(
      {"help", "[COMMAND]", "this list, or more about a command", "", Argument::kCommand, false, nullptr});
  all.push_back({"quit", "", "leave (Ctrl-D does too)", "", Argument::kNone, false, nullptr});
  return all;
}

Result<std::vector<std::string>> splitWords(std::string_view line) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < line.size()) {
    if (isSpace(line[i])) {
      ++i;
      continue;
    }
    if (line[i] == '#') break;
    std::string& word = words.emplace_back();
    while (i < line.size() && !isSpace(line[i])) {
      if (line[i] != '"' && line[i] != '\'') {
        word += line[i++];
        continue;
      }
      const std::size_t end = line.find(line[i], i + 1);
      if (end == std::string_view::npos) {
        return fail(ErrorCode::kInvalidArgument, "the quote {} has no end", line.substr(i));
      }
      word += line.substr(i + 1, end - i - 1);
      i = end + 1;
    }
  }
  return words;
}

Interpreter::Interpreter(Workbench& bench, const Style& style, Progress progress)
    : bench_(bench), style_(style), progress_(std::move(progress)), commands_(catalog()) {
  if (!progress_) progress_ = [](std::string_view) {};
}

Reply Interpreter::run(std::string_view line) {
  Result<std::vector<std::string>> words = splitWords(line);
  if (!words) return {"", Json::object(), words.error()};
  if (words->empty()) return {};
  Result<Reply> reply = runWords(*std::move(words));
  progress_("");
  if (!reply) return {"", Json::object(), reply.error()};
  return *std::move(reply);
}

Result<Reply> Interpreter::runWords(std::vector<std::string> words) {
  ORDO_TRY_ASSIGN(const ShellCommand* command, find(words[0]));
  words.erase(words.begin());
  if (command->name == "help") return help(words);
  if (command->name == "quit") {
    finished_ = true;
    return Reply{};
  }
  if (command->needs_program && !bench_.loaded()) {
    return fail(ErrorCode::kInvalidArgument, "there is no program yet; try 'load suite/crc32'");
  }
  Call call{bench_, style_, std::move(words), usageOf(*command), progress_, bench_.spec().stop};
  return command->run(call);
}

Result<const ShellCommand*> Interpreter::find(std::string_view word) const {
  std::vector<const ShellCommand*> begin_so;
  std::vector<std::string> names, known;
  for (const ShellCommand& command : commands_) {
    known.emplace_back(command.name);
    if (command.name == word) return &command;
    if (!command.name.starts_with(word)) continue;
    begin_so.push_back(&command);
    names.emplace_back(command.name);
  }
  if (begin_so.size() == 1) return begin_so[0];
  if (begin_so.size() > 1) {
    return fail(ErrorCode::kInvalidArgument, "'{}' could be {}", word,
                fmt::format("{}", fmt::join(names, ", ")));
  }
  const std::string guess = nearest(word, known);
  return fail(ErrorCode::kInvalidArgument, "unknown command '{}'; {}", word,
              guess.empty() ? "'help' lists them" : fmt::format("did you mean '{}'?", guess));
}

Result<Reply> Interpreter::help(const std::vector<std::string>& words) const {
  Reply reply;
  if (!words.empty()) {
    ORDO_TRY_ASSIGN(const ShellCommand* command, find(words[0]));
    reply.text = fmt::format("{}\n{}\n", paint(style_, Color::kBold, usageOf(*command)), command->summary);
    if (!command->details.empty()) reply.text += fmt::format("\n{}\n", command->details);
    reply.json = {{"usage", usageOf(*command)}, {"summary", command->summary}};
    return reply;
  }
  Table table;
  for (const ShellCommand& command : commands_) {
    table.rows.push_back({usageOf(command), std::string(command.summary)});
    reply.json[std::string(command.name)] = command.summary;
  }
  reply.text = format(table) + "\nA beginning that no other command has is enough: 'ap' is apply.\n";
  return reply;
}

std::vector<std::string> Interpreter::candidates(Argument argument) {
  std::vector<std::string> names;
  switch (argument) {
    case Argument::kAction:
      for (const env::Action& action : bench_.spec().actions) names.push_back(action.name);
      break;
    case Argument::kObservation:
      for (const env::Sensor& sensor : bench_.sensors()) names.push_back(sensor.name);
      break;
    case Argument::kMetric:
      for (const env::MetricInfo& metric : bench_.spec().info.metrics) names.push_back(metric.name);
      break;
    case Argument::kCommand:
      for (const ShellCommand& command : commands_) names.emplace_back(command.name);
      break;
    case Argument::kFunction:
      if (!bench_.loaded()) break;
      if (const Result<std::string> text = bench_.text()) {
        for (IrPart& part : splitIr(*text)) {
          if (!part.name.empty()) names.push_back(std::move(part.name));
        }
      }
      break;
    case Argument::kProgram:
    case Argument::kNone:
      break;
  }
  return names;
}

Completion Interpreter::complete(std::string_view line) {
  const std::size_t space = line.find_last_of(" \t");
  Completion completion{space == std::string_view::npos ? 0 : space + 1, {}};
  const std::string_view word = line.substr(completion.begin);
  const Result<std::vector<std::string>> before = splitWords(line.substr(0, completion.begin));
  if (!before) return completion;
  Argument argument = Argument::kCommand;
  if (!before->empty()) {
    const Result<const ShellCommand*> command = find((*before)[0]);
    if (!command) return completion;
    argument = (*command)->argument;
  }
  for (std::string& name : candidates(argument)) {
    if (name.starts_with(word)) completion.words.push_back(std::move(name));
  }
  std::sort(completion.words.begin(), completion.words.end());
  return completion;
}

std::string Interpreter::prompt() const {
  if (!bench_.loaded()) return "ordo> ";
  std::string_view name = bench_.program().uri;
  while (name.ends_with('/')) name.remove_suffix(1);
  name.remove_prefix(std::min(name.find_last_of('/') + 1, name.size()));
  const std::string_view metric = bench_.spec().reward.metric;
  return fmt::format("{} {} {}> ", name, figure(bench_.metrics().back()), metric);
}

}  // namespace ordo::shell
