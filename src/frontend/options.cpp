// The table is clang's own, written down by cmake/clang_options.py. A word is the longest option that it
// begins with and that takes what is left of it: "-Idir" is -I and "dir", and "-include" is not -i.
#include "frontend/options.h"

#include <algorithm>
#include <array>

namespace ordo::frontend {
namespace {

using enum Form;

constexpr Option kOptions[] = {
#define ORDO_OPTION(spelling, form, values, canonical) {spelling, form, values, canonical},
#include "frontend/clang_options.inc"
#undef ORDO_OPTION
};

constexpr std::size_t longest() {
  std::size_t length = 0;
  for (const Option& option : kOptions) length = std::max(length, option.spelling.size());
  return length;
}

const Option* find(std::string_view spelling) {
  const auto found = std::ranges::lower_bound(kOptions, spelling, {}, &Option::spelling);
  return found != std::end(kOptions) && found->spelling == spelling ? &*found : nullptr;
}

// Whether `option` may have `attached` behind its name in the same word.
bool takes(const Option& option, std::string_view attached) {
  switch (option.form) {
    case kJoined:
    case kJoinedOrSeparate:
    case kJoinedAndSeparate:
    case kCommaJoined:
      return true;
    default:
      return attached.empty();
  }
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) parts.emplace_back(list.substr(0, comma));
    if (comma == list.size()) return parts;
    list.remove_prefix(comma + 1);
  }
}

// In all their forms: "-ftime-trace=" is this list's -ftime-trace.
constexpr std::string_view kWritesMoreFiles[] = {"-MD",
                                                 "-MMD",
                                                 "-MF",
                                                 "-MT",
                                                 "-MQ",
                                                 "-MP",
                                                 "-MG",
                                                 "-MJ",
                                                 "-save-temps",
                                                 "-ftime-trace",
                                                 "-gsplit-dwarf",
                                                 "-serialize-diagnostics",
                                                 "-dependency-file",
                                                 "-fstack-usage",
                                                 "-fproc-stat-report",
                                                 "-fsave-optimization-record",
                                                 "-foptimization-record-file",
                                                 "-foptimization-record-passes"};

}  // namespace

bool writesMoreFiles(const Argument& argument) {
  if (argument.option == nullptr) return false;
  const auto listed = [](std::string_view spelling) {
    return std::ranges::find(kWritesMoreFiles, spelling.substr(0, spelling.find('='))) !=
           std::end(kWritesMoreFiles);
  };
  return listed(argument.option->spelling) || listed(argument.option->canonical);
}

std::span<const Option> options() { return kOptions; }

Argument readArgument(std::span<const std::string> rest) {
  const std::string& word = rest.front();
  Argument argument;
  if (word.size() < 2 || !word.starts_with('-')) {
    argument.values.push_back(word);
    return argument;
  }
  std::string_view attached;
  for (std::size_t length = std::min(word.size(), longest()); length > 0 && argument.option == nullptr;
       --length) {
    const Option* const option = find(std::string_view(word).substr(0, length));
    attached = std::string_view(word).substr(length);
    if (option != nullptr && takes(*option, attached)) argument.option = option;
  }
  if (argument.option == nullptr) {
    argument.complete = false;
    return argument;
  }
  std::size_t separate = 0;
  switch (argument.option->form) {
    case kFlag:
      break;
    case kJoined:
      argument.values.emplace_back(attached);
      break;
    case kCommaJoined:
      argument.values = split(attached);
      break;
    case kSeparate:
      separate = 1;
      break;
    case kJoinedOrSeparate:
      attached.empty() ? separate = 1 : (argument.values.emplace_back(attached), 0);
      break;
    case kJoinedAndSeparate:
      argument.values.emplace_back(attached);
      separate = 1;
      break;
    case kMultiArg:
      separate = argument.option->values;
      break;
    case kRemainingArgs:
      separate = rest.size() - 1;
      break;
  }
  argument.complete = separate < rest.size();
  const std::size_t there = std::min(separate, rest.size() - 1);
  argument.values.insert(argument.values.end(), rest.begin() + 1,
                         rest.begin() + 1 + static_cast<std::ptrdiff_t>(there));
  argument.words = 1 + there;
  return argument;
}

std::vector<Argument> readArguments(std::span<const std::string> words) {
  std::vector<Argument> arguments;
  while (!words.empty()) {
    arguments.push_back(readArgument(words));
    words = words.subspan(arguments.back().words);
  }
  return arguments;
}

}  // namespace ordo::frontend
