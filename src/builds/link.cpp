#include "builds/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/limits.h"
#include "env/metric.h"

namespace ordo::builds {
namespace {

using Words = std::vector<std::string>;

// With one of them nothing is linked.
constexpr std::array<std::string_view, 11> kNoLink{"-c",   "-E", "-S",        "-M", "-MM",   "-fsyntax-only",
                                                   "-###", "-v", "--version", "-V", "--help"};
constexpr std::array<std::string_view, 4> kNoLinkPrefix{"-print-", "--print-", "-dump", "--precompile"};
// Other linkers, other links, and what adds passes or code of its own.
constexpr std::array<std::string_view, 8> kOwnWays{"-flto=thin",    "-fno-lto",        "-fsanitize",
                                                   "-fprofile",     "-fcs-profile",    "-mllvm",
                                                   "-fpass-plugin", "-fsplit-lto-unit"};
// The same, said to lld.
constexpr std::array<std::string_view, 5> kOwnWaysOfLld{"--lto-", "-plugin-opt", "--plugin-opt",
                                                        "--load-pass-plugin", "--thinlto-"};
// Whose next word is no file.
constexpr std::array<std::string_view, 16> kTakesValue{
    "-o", "-L", "-l", "-x",       "-I",      "-D",      "-U",      "-u",
    "-z", "-T", "-e", "-Xlinker", "-Xclang", "-target", "--param", "-h"};
constexpr std::array<std::string_view, 8> kSources{".c", ".cc", ".cpp", ".cxx", ".C", ".c++", ".s", ".S"};

template <std::size_t N>
bool startsWithOneOf(std::string_view word, const std::array<std::string_view, N>& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

// What the words say of the file that is linked.
struct Link {
  std::string output = "a.out";
  bool has_input = false;
  bool partial = false;                          // what comes out is linked again
  std::string own_way;                           // why it is better left alone, or ""
  frontend::Level level = frontend::Level::kO2;  // lld's own, unless the command says another
  std::string position = "-fPIE";                // the driver's default
  Words machine;                                 // what says for which machine code is made
  Words linker;                                  // what is said to the linker itself
};

bool isPartial(std::string_view word) {
  return word == "-r" || word == "-Wl,-r" || word == "-Wl,-i" || word == "-Wl,--relocatable";
}

Link parse(const Words& arguments) {
  Link link;
  // A file of arguments says whatever, also where it stands for the value of an option.
  for (const std::string& word : arguments)
    if (word.starts_with('@')) link.own_way = word;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool other_linker = word.starts_with("-fuse-ld=") && word != "-fuse-ld=lld";
    if (other_linker || startsWithOneOf(word, kOwnWays)) link.own_way = word;
    link.partial |= isPartial(word);
    if (word.starts_with("-Wl,")) {
      for (std::string_view rest = std::string_view(word).substr(3); !rest.empty();) {
        rest.remove_prefix(1);
        link.linker.emplace_back(rest.substr(0, rest.find(',')));
        rest.remove_prefix(link.linker.back().size());
      }
    } else if (word == "-Xlinker" && i + 1 < arguments.size()) {
      link.linker.push_back(arguments[i + 1]);
    } else if (word == "-target" && i + 1 < arguments.size()) {
      link.machine.push_back("--target=" + arguments[i + 1]);
    } else if (word.starts_with("--target=") || word.starts_with("-m")) {
      link.machine.push_back(word);
    }
    if (word == "-o" && i + 1 < arguments.size()) {
      link.output = arguments[++i];
    } else if (word.starts_with("-o") && word.size() > 2 && !word.starts_with("-object")) {
      link.output = word.substr(2);
    } else if (word == "-shared") {
      link.position = "-fPIC";
    } else if (word == "-no-pie" || word == "-static") {
      link.position = "-fno-pie";
    } else if (word.starts_with("-O")) {
      const Result<frontend::Level> level = frontend::parseLevel(word);
      if (level)
        link.level = *level;
      else
        link.own_way = word;
    } else if (std::ranges::find(kTakesValue, word) != kTakesValue.end()) {
      ++i;
    } else {
      // What is in a file of arguments is inputs for the most part.
      link.has_input |= !word.starts_with('-');
    }
  }
  for (const std::string& word : link.linker) {
    link.partial |= isPartial("-Wl," + word);
    if (startsWithOneOf(word, kOwnWaysOfLld)) link.own_way = word;
  }
  return link;
}

// What the linker is told of LLVM, as clang would be.
Words llvmOptions(const Words& linker) {
  Words options;
  for (std::size_t i = 0; i < linker.size(); ++i) {
    const std::string_view word = linker[i];
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    if (!word.substr(std::min(dashes, word.size())).starts_with("mllvm")) continue;
    if (const std::size_t equals = word.find('='); equals != std::string_view::npos)
      options.insert(options.end(), {"-mllvm", std::string(word.substr(equals + 1))});
    else if (i + 1 < linker.size())
      options.insert(options.end(), {"-mllvm", linker[++i]});
  }
  return options;
}

}  // namespace

bool linksSources(const Words& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& word) {
    return !word.starts_with('-') &&
           std::ranges::any_of(kSources, [&](std::string_view end) { return word.ends_with(end); });
  });
}

std::optional<Files> linkedFile(const Words& arguments) {
  const bool none = std::ranges::any_of(arguments, [](const std::string& word) {
    return std::ranges::find(kNoLink, word) != kNoLink.end() || startsWithOneOf(word, kNoLinkPrefix);
  });
  if (none) return std::nullopt;
  const Link link = parse(arguments);
  if (!link.has_input) return std::nullopt;
  return Files{link.output, link.output};
}

Result<Task> linkTaskOf(const Words& arguments, const std::string& objective, const Words& limits) {
  const Link link = parse(arguments);
  if (!link.own_way.empty())
    return fail(ErrorCode::kUnsupported, "'{}' is between the user and clang", link.own_way);
  if (link.partial)
    return fail(ErrorCode::kUnsupported, "what a partial link makes is for another link to optimise");
  if (link.level == frontend::Level::kO0)
    return fail(ErrorCode::kUnsupported, "-O0 asks for no optimisation");
  Task task{link.output, "c", link.output};
  task.linked = true;
  // The driver asks lld for -O2 where the user asks for small code; its functions say that they should be
  // small.
  const bool small = link.level == frontend::Level::kOs || link.level == frontend::Level::kOz;
  task.level = small ? frontend::Level::kO2 : link.level;
  task.objective = objective.empty() ? env::kTextBytes : objective;
  task.limits = engine::usualLimits(task.objective, limits);
  task.flags = {link.position, "-ffunction-sections", "-fdata-sections"};
  task.flags.insert(task.flags.end(), link.machine.begin(), link.machine.end());
  const Words options = llvmOptions(link.linker);
  task.flags.insert(task.flags.end(), options.begin(), options.end());
  return task;
}

std::string linkPipeline(const Task& task) { return fmt::format("lto<{}>", frontend::name(task.level)); }

Words linkWords() { return {std::string(kForLink), "-fuse-ld=lld"}; }

std::string linkPlugin(std::string_view plugin) { return fmt::format("-Wl,--load-pass-plugin={}", plugin); }

}  // namespace ordo::builds
