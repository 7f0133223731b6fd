#include "loop/service/commands.h"

#include <algorithm>

#include "support/files.h"
#include "support/process.h"
#include "timing/comparison.h"
#include "timing/image.h"
#include "timing/rig.h"

namespace ordo::loop {
namespace {

// The last line that it said, for people.
std::string lastWords(const ProcessResult& result) {
  std::string text = result.err.empty() ? result.out : result.err;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return text.substr(begin == std::string::npos ? 0 : begin + 1).substr(0, 300);
}

Status runCommand(const CommandLine& line, const Settings& settings, const std::atomic<bool>* stop) {
  ORDO_TRY(outputOf(line, settings, settings.command_timeout_s, stop));
  return {};
}

timing::RigOptions rigOptions(const std::atomic<bool>* stop) {
  timing::RigOptions options;
  options.stop = stop;
  options.most_times_baseline = 10;
  return options;
}

std::vector<timing::Input> inputsOf(const Settings& settings) {
  std::vector<timing::Input> inputs;
  for (const CommandLine& arguments : settings.stage_runs) {
    timing::Input input;
    input.args = arguments;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Staged unmeasured(std::string why) {
  return {.failure = {}, .value = {}, .error = {}, .unmeasured = std::move(why)};
}

}  // namespace

CommandLine filled(const CommandLine& line, const std::map<std::string, std::string>& values) {
  CommandLine words;
  for (const std::string& word : line) {
    const auto value = values.find(word);
    words.push_back(value == values.end() ? word : value->second);
  }
  return words;
}

Result<std::string> outputOf(const CommandLine& line, const Settings& settings, double timeout_s,
                             const std::atomic<bool>* stop) {
  CommandLine words = line;
  // A program beside loop.toml, wherever 'ordo' was started.
  if (words.front().find('/') != std::string::npos)
    words.front() = (settings.folder / words.front()).string();
  ORDO_TRY_ASSIGN(
      ProcessResult result,
      runProcess(words, {.input = {}, .dir = settings.folder, .timeout_s = timeout_s, .stop = stop}));
  if (result.ok()) return std::move(result.out);
  return fail(ErrorCode::kUnavailable, "{} {}: {}", line.front(), result.ending(), lastWords(result));
}

Result<Built> CommandBuilder::build(const std::string& candidate) {
  const std::string& name = candidate.empty() ? settings_.production : candidate;
  const bool known = name == settings_.production ||
                     std::ranges::find(settings_.candidates, name) != settings_.candidates.end();
  if (!known)
    return Built{.artifact = {}, .hash = {}, .failure = fmt::format("loop.toml has no candidate '{}'", name)};
  Made& made = made_[name];
  std::error_code ignored;
  if (made.times >= 2 && std::filesystem::exists(made.built.artifact, ignored)) return made.built;
  if (const std::error_code error = makePrivateFolders(settings_.builds))
    return fail(ErrorCode::kUnavailable, "{}: {}", settings_.builds.string(), error.message());
  const std::filesystem::path place = settings_.builds / name, fresh = settings_.builds / (name + ".new");
  std::filesystem::remove(fresh, ignored);
  const Status done = runCommand(
      filled(settings_.build, {{"{candidate}", name}, {"{output}", fresh.string()}}), settings_, stop_);
  if (!done) return Built{.artifact = {}, .hash = {}, .failure = done.error().message};
  Result<std::string> bytes = readFile(fresh);
  if (!bytes) return Built{.artifact = {}, .hash = {}, .failure = "the build wrote no " + fresh.string()};
  // Renamed, because what runs must not be written to.
  std::error_code error;
  std::filesystem::rename(fresh, place, error);
  if (error) return fail(ErrorCode::kUnavailable, "{}: {}", place.string(), error.message());
  ++made.times;
  made.built = {.artifact = place.string(), .hash = timing::loadedHash(*bytes).hex(), .failure = {}};
  return made.built;
}

Result<std::string> TimedStage::failureOf(const std::string& production, const std::string& artifact) {
  const auto rig = timing::Rig::create(production, artifact, inputsOf(settings_), rigOptions(stop_));
  if (rig) return std::string();
  if (rig.error().code == ErrorCode::kInvalidArgument) return rig.error().message;
  return fail(rig.error());
}

Result<Staged> TimedStage::measure(const std::string& production, const std::string& artifact) {
  if (settings_.stage_budget_s <= 0) return unmeasured("budget_s of [stage] is 0");
  auto rig = timing::Rig::create(production, artifact, inputsOf(settings_), rigOptions(stop_));
  if (!rig && rig.error().code == ErrorCode::kInvalidArgument)
    return Staged{.failure = rig.error().message, .value = {}, .error = {}, .unmeasured = {}};
  if (!rig) return fail(std::move(rig).error());
  timing::TrialOptions options;
  options.budget_s = settings_.stage_budget_s;
  options.stop = stop_;
  ORDO_TRY_ASSIGN(const timing::Comparison comparison, timing::compare(**rig, SteadyClock(), options, 0));
  if (comparison.verdict() == timing::Verdict::kVoid) return unmeasured(comparison.trial.why);
  const timing::Interval& interval = comparison.trial.candidate;
  return Staged{
      .failure = {}, .value = interval.value, .error = (interval.high - interval.low) / 4, .unmeasured = {}};
}

Status CommandPools::deploy(Pool pool, const std::string& artifact) {
  std::string program = artifact;
  if (program.empty()) {
    ORDO_TRY_ASSIGN(const Built first, builder_.build(""));
    if (!first.failure.empty()) return fail(ErrorCode::kUnavailable, "{}", first.failure);
    program = first.artifact;
  }
  // Production is not left half deployed because somebody pressed Ctrl-C.
  return runCommand(filled(settings_.deploy, {{"{pool}", std::string(name(pool))}, {"{artifact}", program}}),
                    settings_, pool == Pool::kProduction ? nullptr : stop_);
}

Status CommandPools::stop(Pool pool) {
  // Not ended by an interrupt: it is what an interrupt is to bring about.
  return runCommand(filled(settings_.stop, {{"{pool}", std::string(name(pool))}}), settings_, nullptr);
}

}  // namespace ordo::loop
