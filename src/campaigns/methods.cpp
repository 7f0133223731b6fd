// chooseMethods() first expands "all" and "peers"; then a name is a searcher's, or commandOf() makes a
// program of it. Python functions and peers are programs too, run by modules of the package ordo, so that
// externalOf() can treat all alike: it sets the variables that the user has not set, and starts the program
// once. What is the same is dropped twice: by name before anything starts, and by full name after.
#include "campaigns/methods.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "campaigns/prior_method.h"
#include "search/catalog/catalog.h"
#include "study/external.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/process.h"
#include "support/text.h"

namespace ordo::campaigns {
namespace {

constexpr std::string_view kPython = "python:", kProgram = "program:", kPeer = "peer/", kPrior = "prior:";

study::ExternalProgram pythonModule(const std::string& module, const std::string& what) {
  return {.argv = {methodPython(), "-m", module, what}};
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

// `name`, with what tells this version of `file` from others.
Result<std::string> versioned(const std::string& name, const std::string& file) {
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(file));
  return fmt::format("{}@{}", name, hashBytes(bytes).hex().substr(0, 8));
}

struct Command {
  std::string name;
  study::ExternalProgram program;
};

// "python:FILE.py:FUNCTION"
Result<Command> pythonCommand(const std::string& name) {
  std::string file = name.substr(kPython.size()), function = "search";
  if (const std::size_t colon = file.rfind(':'); colon != std::string::npos) {
    function = file.substr(colon + 1);
    file.resize(colon);
  }
  ORDO_TRY_ASSIGN(std::string full, versioned(fmt::format("{}{}:{}", kPython, file, function), file));
  const std::string path = std::filesystem::absolute(file).string();
  return Command{std::move(full), pythonModule("ordo.methods", path + ":" + function)};
}

// "program:FILE ARG..."
Result<Command> programCommand(const std::string& name) {
  std::vector<std::string> argv = words(std::string_view(name).substr(kProgram.size()));
  const std::optional<std::string> file = argv.empty() ? std::nullopt : findProgram({argv[0]});
  if (!file) return fail(ErrorCode::kNotFound, "there is no program '{}'", name.substr(kProgram.size()));
  argv[0] = *file;
  ORDO_TRY_ASSIGN(std::string full, versioned(name, *file));
  return Command{std::move(full), {.argv = std::move(argv)}};
}

// Python's own words for a package that is not there come with no remedy of ours.
std::string remedy(const study::ExternalProgram& program) {
  if (program.argv[0] != methodPython()) return "";
  return fmt::format(
      "; './ordo peers' sets up a Python that has the package ordo and the peers (this one was '{}', by "
      "$ORDO_PYTHON or else from PATH)",
      program.argv[0]);
}

Result<study::Method> externalOf(Command command, const std::atomic<bool>* stop) {
  study::ExternalProgram& program = command.program;
  program.stop = stop;
  // A run keeps one processor busy, whatever libraries think; and the same seed gives the same run.
  for (const auto& [variable, value] :
       {std::pair("OMP_NUM_THREADS", "1"), std::pair("PYTHONHASHSEED", "0")}) {
    if (std::getenv(variable) == nullptr)
      program.environment.push_back(fmt::format("{}={}", variable, value));
  }
  if (const Status ready = study::probe(program); !ready) {
    return fail(ErrorCode::kUnavailable, "the method {} does not start: {}{}", command.name,
                ready.error().message, remedy(program));
  }
  return study::externalMethod(std::move(command.name), std::move(program));
}

Result<Command> commandOf(const std::string& name) {
  if (name.starts_with(kPython)) return pythonCommand(name);
  if (name.starts_with(kProgram)) return programCommand(name);
  return Command{name, pythonModule("ordo.peers", name.substr(kPeer.size()))};
}

Result<std::vector<std::string>> listPeers() {
  const study::ExternalProgram list = pythonModule("ordo.peers", "--list");
  ORDO_TRY_ASSIGN(const ProcessResult result, runProcess(list.argv));
  if (!result.ok()) {
    return fail(ErrorCode::kUnavailable, "the peers cannot be listed: {}{}", result.err, remedy(list));
  }
  std::string lines = result.out;
  std::ranges::replace(lines, '\n', ' ');
  std::vector<std::string> peers = words(lines);
  for (std::string& peer : peers) peer = std::string(kPeer) + peer;
  return peers;
}

Result<const search::SearcherInfo*> searcherOf(const std::string& name,
                                               const std::vector<MethodFamily>& families) {
  if (const search::SearcherInfo* const searcher = search::find(name)) return searcher;
  std::vector<std::string> known{"all", "peers", "peer/NAME", "python:FILE.py:FUNCTION",
                                 "prior:FILE:SEARCHER"};
  for (const MethodFamily& other : families) known.push_back(other.spelling);
  for (const search::SearcherInfo* other : search::catalog()) known.emplace_back(other->name);
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("method", name, known));
}

// "prior:FILE:SEARCHER"
Result<study::Method> priorOf(const std::string& name, const std::vector<MethodFamily>& families) {
  const std::size_t colon = name.rfind(':');
  if (colon < kPrior.size())
    return fail(ErrorCode::kInvalidArgument, "'{}' names no searcher: prior:FILE:SEARCHER", name);
  const std::string path = name.substr(kPrior.size(), colon - kPrior.size());
  ORDO_TRY_ASSIGN(const search::SearcherInfo* const searcher, searcherOf(name.substr(colon + 1), families));
  ORDO_TRY_ASSIGN(std::string full, versioned(fmt::format("prior/{}", searcher->name), path));
  ORDO_TRY_ASSIGN(prior::File file, prior::read(path));
  return priorMethod(std::move(full), *searcher, std::move(file));
}

// The names that `names` stand for.
Result<std::vector<std::string>> expanded(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const search::SearcherInfo* searcher : search::catalog()) result.emplace_back(searcher->name);
    } else if (name == "peers") {
      ORDO_TRY_ASSIGN(const std::vector<std::string> peers, listPeers());
      result.insert(result.end(), peers.begin(), peers.end());
    } else {
      result.push_back(name);
    }
  }
  std::vector<std::string> unique;
  for (std::string& name : result) {
    if (std::ranges::find(unique, name) == unique.end()) unique.push_back(std::move(name));
  }
  return unique;
}

}  // namespace

std::string methodPython() {
  const char* python = std::getenv("ORDO_PYTHON");
  return python == nullptr || *python == '\0' ? "python3" : python;
}

Result<std::vector<study::Method>> chooseMethods(const std::vector<std::string>& names,
                                                 const std::atomic<bool>* stop,
                                                 const std::vector<MethodFamily>& families) {
  ORDO_TRY_ASSIGN(const std::vector<std::string> wanted, expanded(names));
  std::vector<study::Method> methods;
  const auto add = [&](study::Method method) {
    // "python:a.py" and "python:a.py:search" are one.
    if (std::ranges::find(methods, method.name, &study::Method::name) == methods.end())
      methods.push_back(std::move(method));
  };
  for (const std::string& name : wanted) {
    if (name.starts_with(kPython) || name.starts_with(kProgram) || name.starts_with(kPeer)) {
      ORDO_TRY_ASSIGN(Command command, commandOf(name));
      ORDO_TRY_ASSIGN(study::Method method, externalOf(std::move(command), stop));
      add(std::move(method));
      continue;
    }
    const auto family = std::ranges::find_if(families, [&](const MethodFamily& each) {
      return name.substr(0, name.find_first_of(": ")) == each.prefix;
    });
    if (family != families.end()) {
      ORDO_TRY_ASSIGN(study::Method method, family->make(name));
      add(std::move(method));
      continue;
    }
    if (name.starts_with(kPrior)) {
      ORDO_TRY_ASSIGN(study::Method method, priorOf(name, families));
      add(std::move(method));
      continue;
    }
    ORDO_TRY_ASSIGN(const search::SearcherInfo* const searcher, searcherOf(name, families));
    add(study::searcherMethod(*searcher));
  }
  return methods;
}

}  // namespace ordo::campaigns
