// Reads lines, runs commands, says what came of them. No terminal is needed: that is cli/builtin/shell.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/command.h"

namespace ordo::shell {

// The commands with `help` and `quit`, in the order in which help shows them.
std::vector<ShellCommand> catalog();

// The words of a line; a word in quotes may hold spaces, and # at the start of one begins a comment.
// kInvalidArgument for a quote without its end.
Result<std::vector<std::string>> splitWords(std::string_view line);

// What could stand at the end of a line.
struct Completion {
  std::size_t begin = 0;  // where the word begins that they complete
  std::vector<std::string> words;
};

class Interpreter {
 public:
  using Progress = std::function<void(std::string_view)>;

  // `bench` outlives it. See Call::progress.
  Interpreter(Workbench& bench, const Style& style, Progress progress = {});

  // Runs a line; an empty one does nothing. The error of the reply, or of an unknown command, is also in it.
  Reply run(std::string_view line);
  bool finished() const { return finished_; }  // quit was said

  // The command that `word` names, in full or by a beginning that no other has. kInvalidArgument with the
  // nearest, or with those that begin so.
  Result<const ShellCommand*> find(std::string_view word) const;

  Completion complete(std::string_view line);

  // "crc32 [2] 191> "
  std::string prompt() const;

  void setStyle(const Style& style) { style_ = style; }

 private:
  Result<Reply> runWords(std::vector<std::string> words);
  Result<Reply> help(const std::vector<std::string>& words) const;
  std::vector<std::string> candidates(Argument argument);

  Workbench& bench_;
  Style style_;
  Progress progress_;
  std::vector<ShellCommand> commands_;
  bool finished_ = false;
};

}  // namespace ordo::shell
