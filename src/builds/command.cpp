#include "builds/command.h"

#include <filesystem>

#include "builds/understood.h"
#include "frontend/options.h"
#include "frontend/sources.h"

namespace ordo::builds {
namespace fs = std::filesystem;
namespace {

using frontend::Argument;
using Words = std::vector<std::string>;

// Takes in one argument after the other.
class Reader {
 public:
  // A file of arguments says whatever, also where it stands for the value of an option.
  void lookForFiles(const Words& arguments) {
    for (const std::string& word : arguments)
      if (word.starts_with('@')) foreign(word);
  }

  void take(const Argument& argument, const Words& words) {
    if (argument.isInput()) {
      input(argument.values[0]);
    } else if (argument.is("--")) {
      for (const std::string& value : argument.values) input(value);
    } else if (const std::optional<Meaning> meaning = meaningOf(argument)) {
      understood(*meaning, argument, words);
    } else {
      foreign(words[0]);
      no_object_ |= frontend::makesNoObject(argument);
    }
  }

  Command finish() {
    command_.compiles = compile_only_ && !no_object_;
    if (command_.inputs.size() == 1) {
      command_.object = !output_.empty()
                            ? output_
                            : fs::path(command_.inputs[0]).filename().replace_extension(".o").string();
    }
    if (remarks_) {
      command_.remarks = !remarks_file_.empty()
                             ? remarks_file_
                             : fs::path(command_.object).replace_extension("opt.yaml").string();
    }
    return std::move(command_);
  }

 private:
  void foreign(const std::string& word) {
    if (command_.foreign.empty()) command_.foreign = word;
  }

  void input(const std::string& name) {
    // Standard input is read once.
    if (name == "-" || name.empty()) foreign(name);
    if (command_.inputs.empty()) command_.language = forced_.empty() ? frontend::languageOf(name) : forced_;
    command_.probe |= frontend::isProbe(name);
    command_.inputs.push_back(name);
  }

  void understood(Meaning meaning, const Argument& argument, const Words& words) {
    const std::string value = argument.values.empty() ? "" : argument.values.back();
    switch (meaning) {
      case Meaning::kCompile:
        compile_only_ = true;
        break;
      case Meaning::kOutput:
        output_ = value;
        break;
      case Meaning::kLanguage:
        forced_ = value == "none" ? "" : value;
        if (value != "none" && value != "c" && value != "c++") foreign("-x " + value);
        break;
      case Meaning::kLevel:
        command_.level = levelOf(argument, value);
        break;
      case Meaning::kRemarks:
        remarks_ = true;
        if (argument.is("-foptimization-record-file=")) remarks_file_ = value;
        break;
      case Meaning::kCode:
        command_.code.insert(command_.code.end(), words.begin(), words.end());
        break;
      case Meaning::kFrontEnd:
      case Meaning::kLink:
        break;
    }
  }

  static Result<frontend::Level> levelOf(const Argument& argument, const std::string& value) {
    const std::string_view name = argument.option->canonical;
    return frontend::parseLevel(name == "-O" ? "-O" + value : std::string(name));
  }

  Command command_;
  bool compile_only_ = false, no_object_ = false, remarks_ = false;
  std::string forced_;  // by -x, for the inputs after it
  std::string output_, remarks_file_;
};

}  // namespace

Command readCommand(const Words& arguments) {
  Reader reader;
  reader.lookForFiles(arguments);
  for (std::size_t i = 0; i < arguments.size();) {
    const Argument argument = frontend::readArgument(std::span(arguments).subspan(i));
    const auto first = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    reader.take(argument, Words(first, first + static_cast<std::ptrdiff_t>(argument.words)));
    i += argument.words;
  }
  return reader.finish();
}

}  // namespace ordo::builds
