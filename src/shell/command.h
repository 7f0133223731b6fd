// A command of the shell, and what it says. The catalog is in four files by what the commands are for:
// change_commands.cpp, look_commands.cpp, ir_commands.cpp, keep_commands.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/style.h"
#include "shell/workbench.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::shell {

// A command may have something to say and fail all the same: what it did before it failed.
struct Reply {
  std::string text;  // for people: whole lines, or nothing
  Json json = Json::object();
  std::optional<Error> error = std::nullopt;
};

// What a command is called with.
struct Call {
  Workbench& bench;
  const Style& style;
  std::vector<std::string> words;  // its arguments
  std::string usage;               // for complaints about them
  // A line that says how far it is, and "" when that is over.
  const std::function<void(std::string_view)>& progress;
  const std::atomic<bool>* stop;

  bool stopped() const { return stop != nullptr && *stop; }

  // Takes `option` ("--full") out of the words; whether it was there.
  bool take(std::string_view option);
  // kInvalidArgument unless there are between `least` and `most` words and none is an option.
  Status expect(std::size_t least, std::size_t most) const;
  // The word at `place` as a number from 1 on; `absent` if there is no such word.
  Result<std::uint32_t> number(std::size_t place, std::uint32_t absent) const;
  // An action by name or index.
  Result<env::ActionIndex> action(const std::string& word) const;
};

// What an argument of a command is, for completion.
enum class Argument : std::uint8_t { kNone, kAction, kObservation, kMetric, kFunction, kCommand, kProgram };

struct ShellCommand {
  std::string_view name;
  std::string_view arguments;  // "ACTION...", "[N]"
  std::string_view summary;    // one line without a full stop
  std::string_view details;    // for `help NAME`; may be empty
  Argument argument = Argument::kNone;
  bool needs_program = true;
  Result<Reply> (*run)(Call& call);
};

std::span<const ShellCommand> changeCommands();
std::span<const ShellCommand> lookCommands();
std::span<const ShellCommand> irCommands();
std::span<const ShellCommand> keepCommands();

// "340", "1 204", "0.35": a value of a metric.
std::string figure(double value);

}  // namespace ordo::shell
