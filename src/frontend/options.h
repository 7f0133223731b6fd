// Clang's command line, word by word, as its driver reads it: which words are options, and which of the words
// after them are their values. Without that a value is taken for an input.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::frontend {

// Where an option has its values.
enum class Form : std::uint8_t {
  kFlag,               // it has none: -c
  kJoined,             // the rest of its word: -std=c11
  kSeparate,           // the next word: -Xclang -v
  kJoinedOrSeparate,   // the rest of its word, or the next one if there is no rest: -Idir, -I dir
  kJoinedAndSeparate,  // both: -Xarch_host -DX
  kCommaJoined,        // the rest of its word, between commas: -Wa,-a,-b
  kMultiArg,           // as many words as it says
  kRemainingArgs,      // all that follow, which are inputs: --
};

struct Option {
  std::string_view spelling;
  Form form;
  std::uint8_t values;         // of kMultiArg: how many
  std::string_view canonical;  // what it stands for: -I for --include-directory
};

// What one argument of a command is.
struct Argument {
  // Of all that it may be the one that clang takes; nullptr for an input, or a word that clang does not know.
  const Option* option = nullptr;
  std::vector<std::string> values = {};  // of an input: its name
  std::size_t words = 1;                 // of the command that belong to it
  bool complete = true;                  // whether the command has all of its values

  bool isInput() const { return option == nullptr && complete; }
  bool is(std::string_view canonical) const { return option != nullptr && option->canonical == canonical; }
};

// The argument that begins with the first of `rest`, which is not empty. A word with a '-' that is no option
// of clang's is neither an input nor complete. "@file" is an input here: who has to know what is in such a
// file must read it.
Argument readArgument(std::span<const std::string> rest);

// All of a command's, those after the compiler's name.
std::vector<Argument> readArguments(std::span<const std::string> words);

// Whether clang writes a file because of this one that is not the command's output, or it says about such a
// file where it goes or what is in it: -MD, -MF, -ftime-trace, -save-temps=obj.
bool writesMoreFiles(const Argument& argument);

// The whole table, sorted by spelling; for tests and for those who ask what there is.
std::span<const Option> options();

}  // namespace ordo::frontend
