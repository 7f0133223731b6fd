// ordo: the command line. Each subcommand is a file in cli/builtin/.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "support/exit_code.h"
#include "support/streams.h"
#include "support/text.h"
#include "support/version.h"

namespace {

constexpr const char* kFooter = R"(
Examples:
  ordo tune suite/sha256                 a smaller object of a program of the suite
  ordo tune main.c --budget 30s -- -I inc -DNDEBUG
  ordo verify main.ordo.json main.c      prove the result with stock opt-22
  ordo doctor                            what is installed, what is missing

Through the launcher of a clone, ./ordo, there are also:
  ./ordo python                          Python with the package ordo: environments, training
  ./ordo test                            build everything and run all tests
  ./ordo bench, fuzz, format, peers      for those who work on Ordo; see the head of ./ordo

'ordo COMMAND --help' says more about each.)";

std::vector<std::string> knownCommands() {
  std::vector<std::string> names;
  for (const ordo::cli::CommandInfo* command : ordo::cli::catalog()) names.emplace_back(command->name);
  return names;
}

// `code`, unless all went well but for the disk on which standard output is.
int withOutput(int code) {
  const std::string problem = ordo::outputProblem();
  if (code != ordo::kOk || problem.empty()) return code;
  fmt::print(stderr, "ordo: cannot write to standard output: {}\n", problem);
  return 69;
}

}  // namespace

int main(int argc, char** argv) {
  ordo::prepareStreams();
  ordo::neverFailToPrint();
  // A limit of file size is a full disk: an error of writing, also in the compilers that we start.
  ::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Ordo finds the order of compiler passes that fits your program, and proves the result.",
               "ordo");
  app.set_version_flag("--version", "ordo " + std::string(ordo::version()));
  app.footer(kFooter);
  app.get_formatter()->column_width(28);
  app.require_subcommand(0, 1);

  // What stands after "--" is for clang, not for us.
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const std::vector<std::string> flags(dashes == words.end() ? dashes : dashes + 1, words.end());

  std::vector<std::pair<CLI::App*, ordo::cli::Command>> commands;
  for (const ordo::cli::CommandInfo* command : ordo::cli::catalog()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->summary));
    if (!command->examples.empty()) sub->footer(fmt::format("\nExamples:\n{}", command->examples));
    commands.emplace_back(sub, command->setup(*sub));
  }
  if (!words.empty() && !words[0].starts_with('-')) {
    const std::vector<std::string> known = knownCommands();
    const auto found = std::find(known.begin(), known.end(), words[0]);
    if (found == known.end()) {
      fmt::print(stderr, "ordo: {}\n", ordo::unknownName("command", words[0], known));
      return 64;
    }
    if (dashes != words.end() &&
        !ordo::cli::catalog()[static_cast<std::size_t>(found - known.begin())]->takes_flags) {
      fmt::print(stderr, "ordo: '{}' takes no flags for clang after '--'\n", words[0]);
      return 64;
    }
  }
  try {
    // CLI11 takes its words last first.
    app.parse(std::vector<std::string>(std::make_reverse_iterator(dashes), words.rend()));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "ordo: {}; see 'ordo {}--help'\n", error.what(),
               app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ");
    return 64;
  }
  try {
    for (const auto& [sub, run] : commands) {
      if (sub->parsed()) return withOutput(run(flags));
    }
  } catch (const std::exception& error) {
    // Not ours, for we throw nothing: memory ran out, or a library gave up.
    fmt::print(stderr, "ordo: {}\n", error.what());
    return 70;
  }
  fmt::print("{}\n", app.help());
  return withOutput(ordo::kOk);
}
