#include "builds/task.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "capture/command.h"
#include "frontend/flags.h"

namespace ordo::builds {
namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool startsWithOneOf(std::string_view word, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

// They write more than an object, change passes or code behind the IR, or say anything whatever.
constexpr std::array<std::string_view, 16> kOwnWays{"-save-temps",
                                                    "--save-temps",
                                                    "-gsplit-dwarf",
                                                    "-ftime-trace",
                                                    "-ftime-report",
                                                    "-fstack-usage",
                                                    "-fsave-optimization-record",
                                                    "-foptimization-record",
                                                    "-fproc-stat-report",
                                                    "-mllvm",
                                                    "-Xclang",
                                                    "-Xpreprocessor",
                                                    "-fplugin",
                                                    "-fpass-plugin",
                                                    "-fveclib",
                                                    "--config"};

// The front end's. What they mean is in the IR.
constexpr std::array<std::string_view, 16> kFrontEnd{"-I",
                                                     "-D",
                                                     "-U",
                                                     "-include",
                                                     "-imacros",
                                                     "-isystem",
                                                     "-iquote",
                                                     "-idirafter",
                                                     "-W",
                                                     "-w",
                                                     "-pedantic",
                                                     "-pipe",
                                                     "-std=",
                                                     "-fdiagnostics",
                                                     "-fcolor-diagnostics",
                                                     "-Qunused-arguments"};
constexpr std::array<std::string_view, 8> kFrontEndWithValue{"-I",       "-D",       "-U",      "-include",
                                                             "-imacros", "-isystem", "-iquote", "-idirafter"};

Words withoutFrontEnd(const Words& flags) {
  Words rest;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (std::ranges::find(kFrontEndWithValue, flags[i]) != kFrontEndWithValue.end())
      ++i;
    else if (flags[i].starts_with("-Wa,") || !startsWithOneOf(flags[i], kFrontEnd))
      rest.push_back(flags[i]);
  }
  return rest;
}

// Where clang writes remarks if it is asked to write YAML; all else about them is between the user and clang.
// Takes those flags out.
std::string takeRemarks(Words& flags, const std::string& object) {
  constexpr std::string_view kFile = "-foptimization-record-file=";
  bool asked = false;
  std::string file = std::filesystem::path(object).replace_extension("opt.yaml").string();
  std::erase_if(flags, [&](const std::string& flag) {
    const bool named = flag.starts_with(kFile);
    if (named) file = flag.substr(kFile.size());
    const bool ours =
        named || flag == "-fsave-optimization-record" || flag == "-fsave-optimization-record=yaml";
    asked |= ours;
    return ours;
  });
  return asked ? file : "";
}

// `arguments` without input and output: flags.
Words flagsOf(const Words& arguments, const std::string& source) {
  Words flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-o") {
      ++i;
    } else if (word != source && !(word.starts_with("-o") && !word.starts_with("-object"))) {
      flags.push_back(word);
    }
  }
  return flags;
}

Result<frontend::Level> levelOf(const Words& flags) {
  const auto last = std::find_if(flags.rbegin(), flags.rend(),
                                 [](const std::string& flag) { return flag.starts_with("-O"); });
  return last == flags.rend() ? frontend::Level::kO0 : frontend::parseLevel(*last);
}

}  // namespace

std::optional<Files> filesOf(const Words& arguments) {
  const capture::Command command = capture::parseCommand(arguments);
  if (command.inputs.size() != 1 || command.object.empty()) return std::nullopt;
  return Files{command.inputs[0].path, command.object};
}

Result<Task> taskOf(const Words& arguments, const std::string& objective) {
  constexpr ErrorCode kNo = ErrorCode::kUnsupported;
  const capture::Command command = capture::parseCommand(arguments);
  if (command.inputs.size() != 1 || command.object.empty())
    return fail(kNo, "does not compile one file of C or C++ to an object");
  Task task{command.inputs[0].path, command.inputs[0].language, command.object};
  Words flags = flagsOf(arguments, task.source);
  task.remarks = takeRemarks(flags, task.object);
  const auto own =
      std::ranges::find_if(flags, [](const auto& flag) { return startsWithOneOf(flag, kOwnWays); });
  if (own != flags.end()) return fail(kNo, "'{}' is between the user and clang", *own);
  const Result<frontend::Level> level = levelOf(flags);
  if (!level) return fail(kNo, "{}", level.error().message);
  task.level = *level;
  const bool size = task.level == frontend::Level::kOz || task.level == frontend::Level::kOs;
  task.objective = !objective.empty() ? objective : size ? "text_bytes" : "";
  if (task.level == frontend::Level::kO0) return fail(kNo, "-O0 asks for no optimisation");
  if (task.objective.empty())
    return fail(kNo, "-{} has no objective of its own; ORDO_OBJECTIVE sets one", frontend::name(task.level));
  const Result<frontend::Flags> checked = frontend::checkFlags(flags, task.language);
  if (!checked) return fail(kNo, "{}", checked.error().message);
  task.flags = withoutFrontEnd(checked->kept);
  return task;
}

}  // namespace ordo::builds
