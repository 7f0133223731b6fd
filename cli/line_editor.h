// Lines from a terminal, with editing, a history that outlives the process, and completion; or, where
// standard input is none, lines as they come.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::cli {

// What could stand at the end of the line so far: `words` complete what begins at `begin`.
struct Suggestions {
  std::size_t begin = 0;
  std::vector<std::string> words;
};

class LineEditor {
 public:
  enum class Input { kLine, kBreak, kEnd };
  using Suggest = std::function<Suggestions(std::string_view line)>;

  // A history that cannot be read or written is none. At most one editor at a time.
  LineEditor(const std::filesystem::path& history, Suggest suggest);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Whether a person sits there: both ends of the conversation are a terminal.
  bool interactive() const { return terminal_ != nullptr; }

  // The next line without its end. kBreak: Ctrl-C was pressed at the prompt.
  Input read(const std::string& prompt, std::string& line);

 private:
  struct Terminal;
  Terminal* terminal_ = nullptr;
};

// The longest beginning that all words have in common; "" for none.
std::string commonBeginning(const std::vector<std::string>& words);

}  // namespace ordo::cli
