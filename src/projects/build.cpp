// Builds are steered by their environment alone (environmentWith()): it names Ordo's compilers and tells them
// to record, where to log and which cache to use. What they did is then read from their log. To be compiled
// again, objects must be gone: buildAnew() cleans up by the user's command, or removes what the builds before
// made. Commands of a compile_commands.json run side by side, rewritten by recordingCommand() so that the
// only file they write is an object in scratch_.
#include "projects/build.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string_view>

#include "builds/variables.h"
#include "frontend/options.h"
#include "support/files.h"
#include "support/process.h"
#include "support/team.h"

extern char** environ;

namespace ordo::projects {
namespace fs = std::filesystem;
namespace {

using builds::Variables;

constexpr double kForever = 1e9;

// Our environment with these changes; what asks ordo-cc for something else is left out.
std::vector<std::string> environmentWith(const Variables& changes) {
  Variables all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = std::min(text.find('='), text.size());
    all[std::string(text.substr(0, equals))] = text.substr(std::min(equals + 1, text.size()));
  }
  for (const char* name :
       {"ORDO_LOCK", "ORDO_DISABLE", "ORDO_RECORD", "ORDO_LINKED", "ORDO_PLAIN", "ORDO_FREE_FLAGS"})
    all.erase(name);
  for (const auto& [name, value] : builds::compilerVariables(all["PATH"])) all[name] = value;
  for (const auto& [name, value] : changes) all[name] = value;
  std::vector<std::string> environment;
  for (const auto& [name, value] : all) environment.push_back(name + "=" + value);
  return environment;
}

Result<ProcessResult> run(const std::vector<std::string>& argv, const Variables& variables,
                          const fs::path& folder, const std::atomic<bool>* stop) {
  ProcessOptions options;
  options.dir = folder;
  options.timeout_s = kForever;
  options.environment = environmentWith(variables);
  options.stop = stop;
  ORDO_TRY_ASSIGN(ProcessResult result, runProcess(argv, options));
  if (stop != nullptr && *stop) return fail(ErrorCode::kDeadlineExceeded, "interrupted");
  return result;
}

std::string lastLines(std::string_view text, int count) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (count-- > 0 && begin != std::string_view::npos && begin > 0) begin = text.rfind('\n', begin - 1);
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin));
}

Result<std::string> runShell(const std::string& command, const Variables& variables,
                             const std::atomic<bool>* stop) {
  ORDO_TRY_ASSIGN(const ProcessResult result,
                  run({"/bin/sh", "-c", command}, variables, fs::current_path(), stop));
  if (!result.ok())
    return fail(ErrorCode::kInvalidArgument, "'{}' {}:\n{}", command, result.ending(),
                lastLines(result.out + result.err, 12));
  return result.out + '\n' + result.err;
}

// The compiler that a build has shown itself to run, or "".
std::string compilerIn(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    for (std::string word; words >> word;) {
      if (word == "-c") return first;
    }
  }
  return "";
}

tl::unexpected<Error> nothingRecorded(const std::vector<builds::LogLine>& lines, const std::string& said) {
  if (!lines.empty())
    return fail(ErrorCode::kNotFound, "none of the {} files that were compiled can be tuned; of {}: {}",
                lines.size(), lines.front().source, lines.front().reason);
  const std::string compiler = compilerIn(said);
  if (!compiler.empty())
    return fail(ErrorCode::kNotFound,
                "no compilation was captured: the build ran '{}' and not $CC or $CXX; try --build 'make "
                "CC=ordo-cc CXX=ordo-c++' or, with CMake, -DCMAKE_C_COMPILER_LAUNCHER=ordo-launch",
                compiler);
  return fail(
      ErrorCode::kNotFound,
      "no compilation was captured: if all was up to date, say how to clean up (--clean 'make clean'); "
      "if the build has a compiler of its own, try --build 'make CC=ordo-cc CXX=ordo-c++' or, with "
      "CMake, -DCMAKE_C_COMPILER_LAUNCHER=ordo-launch");
}

// `words` by way of ordo-launch or whatever of ours they name, with another object and no other file.
std::vector<std::string> recordingCommand(const std::vector<std::string>& words, const fs::path& object) {
  const fs::path bin = installPrefix() / "bin";
  const std::string name = fs::path(words[0]).filename().string();
  std::vector<std::string> command{name.starts_with("ordo-") ? bin / name : bin / "ordo-launch"};
  if (!name.starts_with("ordo-")) command.push_back(words[0]);
  command.insert(command.end(), {"-o", object.string()});  // there may be a "--" further on
  for (std::span<const std::string> rest = std::span(words).subspan(1); !rest.empty();) {
    const frontend::Argument argument = frontend::readArgument(rest);
    if (!argument.is("-o") && !frontend::writesMoreFiles(argument))
      command.insert(command.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(argument.words));
    rest = rest.subspan(argument.words);
  }
  return command;
}

}  // namespace

Build::Build(Commands commands, const builds::Settings& settings, fs::path scratch,
             const std::atomic<bool>* stop)
    : commands_(std::move(commands)), settings_(settings), scratch_(std::move(scratch)), stop_(stop) {}

// What makes ordo-cc record to record.jsonl in scratch_.
Variables Build::recording() const {
  return {{"ORDO_CACHE", settings_.folder},
          {"ORDO_LOG", scratch_ / "record.jsonl"},
          {"ORDO_RECORD", scratch_},
          {"ORDO_FREE_FLAGS", builds::writeFreeFlags(free_flags_)},
          {"ORDO_OBJECTIVE", settings_.objective},
          {"ORDO_LIMIT", fmt::format("{}", fmt::join(settings_.limits, " "))}};
}

// What the log in scratch_ says of modules.
Result<std::vector<builds::LogLine>> Build::recorded() {
  const fs::path log = scratch_ / "record.jsonl";
  std::vector<builds::LogLine> lines;
  if (fs::exists(log)) {
    ORDO_TRY_ASSIGN(lines, builds::readLog(log));
  }
  std::vector<builds::LogLine> modules;
  std::ranges::copy_if(lines, std::back_inserter(modules),
                       [](const auto& line) { return !line.command.empty(); });
  if (modules.empty()) return nothingRecorded(lines, said_);
  objects_.clear();
  for (const builds::LogLine& line : modules) objects_.push_back(line.object);
  made_.insert(made_.end(), objects_.begin(), objects_.end());
  return modules;
}

Result<std::vector<builds::LogLine>> Build::record() {
  std::error_code ignored;
  fs::remove(scratch_ / "record.jsonl", ignored);
  ORDO_TRY(buildAnew(recording()));
  return recorded();
}

Status Build::plain(const builds::FreeChoices& choices) {
  const fs::path log = scratch_ / "plain.jsonl";
  Variables variables{{"ORDO_CACHE", settings_.folder},
                      {"ORDO_LOG", log},
                      {"ORDO_PLAIN", "1"},
                      {"ORDO_FREE_FLAGS", builds::writeFreeFlags(choices)}};
  // Archives of bitcode need tools that know it.
  variables.merge(builds::linkedVariables());
  variables.erase("ORDO_LINKED");
  std::error_code ignored;
  fs::remove(log, ignored);
  ORDO_TRY(buildAnew(variables));
  if (!fs::exists(log)) return nothingRecorded({}, said_);
  ORDO_TRY_ASSIGN(const std::vector<builds::LogLine> lines, builds::readLog(log));
  for (const builds::LogLine& line : lines) {
    if (!line.object.empty()) made_.push_back(line.object);
  }
  return {};
}

Result<std::vector<builds::LogLine>> Build::record(const std::vector<CompileCommand>& commands,
                                                   unsigned jobs) {
  const Variables variables = recording();
  std::vector<std::string> failures(commands.size());
  std::atomic<std::size_t> next = 0;
  Team(jobs).run([&](unsigned) {
    for (std::size_t i = next++; i < commands.size() && (stop_ == nullptr || !*stop_); i = next++) {
      const std::vector<std::string> command =
          recordingCommand(commands[i].words, scratch_ / fmt::format("{}.o", i));
      const Result<ProcessResult> result = run(command, variables, commands[i].folder, stop_);
      if (!result)
        failures[i] = result.error().message;
      else if (!result->ok())
        failures[i] = fmt::format("{}\n{}", result->ending(), lastLines(result->err, 12));
    }
  });
  if (stop_ != nullptr && *stop_) return fail(ErrorCode::kDeadlineExceeded, "interrupted");
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (!failures[i].empty())
      return fail(ErrorCode::kInvalidArgument, "'{}' {}", fmt::join(commands[i].words, " "), failures[i]);
  }
  return recorded();
}

// The build, after what it made before is gone.
Status Build::buildAnew(const Variables& variables) {
  if (!commands_.clean.empty()) {
    ORDO_TRY(runShell(commands_.clean, variables, stop_));
  } else {
    std::error_code ignored;
    for (const std::string& file : made_) fs::remove(file, ignored);
  }
  ORDO_TRY_ASSIGN(said_, runShell(commands_.build, variables, stop_));
  return {};
}

Result<std::vector<builds::LogLine>> Build::recordLinks() {
  linked_ = true;
  Variables variables = recording();
  variables.merge(builds::linkedVariables());
  std::error_code ignored;
  fs::remove(scratch_ / "record.jsonl", ignored);
  ORDO_TRY(buildAnew(variables));
  return recorded();
}

Result<std::vector<builds::LogLine>> Build::rebuild(const fs::path& cache) {
  const fs::path log = scratch_ / "rebuild.jsonl";
  Variables variables{{"ORDO_CACHE", cache},
                      {"ORDO_LOG", log},
                      {"ORDO_BUDGET", "0"},
                      {"ORDO_FREE_FLAGS", builds::writeFreeFlags(free_flags_)},
                      {"ORDO_OBJECTIVE", settings_.objective},
                      {"ORDO_LIMIT", fmt::format("{}", fmt::join(settings_.limits, " "))}};
  if (linked_) variables.merge(builds::linkedVariables());
  std::error_code ignored;
  fs::remove(log, ignored);
  ORDO_TRY(buildAnew(variables));
  std::vector<builds::LogLine> lines;
  if (fs::exists(log)) {
    ORDO_TRY_ASSIGN(lines, builds::readLog(log));
  }
  std::set<std::string> missing(objects_.begin(), objects_.end());
  for (const builds::LogLine& line : lines) missing.erase(line.object);
  if (lines.empty() || (commands_.clean.empty() && !missing.empty()))
    return fail(ErrorCode::kUnavailable,
                "'{}' did not compile {} again after its objects were removed; say how to clean up: --clean "
                "'make clean'",
                commands_.build, *missing.begin());
  return lines;
}

Result<std::string> Build::check() {
  // What tests compile for themselves is none of ours.
  ORDO_TRY_ASSIGN(const ProcessResult result, run({"/bin/sh", "-c", commands_.check}, {{"ORDO_DISABLE", "1"}},
                                                  fs::current_path(), stop_));
  if (result.ok()) return "";
  return fmt::format("'{}' {}:\n{}", commands_.check, result.ending(),
                     lastLines(result.out + result.err, 12));
}

}  // namespace ordo::projects
