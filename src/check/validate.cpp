// validate() is the order of the checks; begin there. Each of the first three makes what the next ones need
// (program, actions, figures and bitcode), which is why a failure ends it. There is one replay, all actions
// in one step: checkReplay() measures the state's metric first and the reward's last, and takes the bitcode
// that is run later. Libraries of programs are kept by level and values, and what clang's own programs do by
// program and level.
#include "check/validate.h"

#include <algorithm>
#include <cmath>

#include "datasets/dataset.h"
#include "engine/function_program.h"
#include "engine/reach.h"
#include "env/reward.h"
#include "support/text.h"

namespace ordo::check {
namespace {

bool isClose(double a, double b, double tolerance) {
  // Two zeros, and what rounding leaves of one, are equal.
  return std::abs(a - b) <= std::max(tolerance * std::max(std::abs(a), std::abs(b)), 1e-10);
}

}  // namespace

bool Validation::ok() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const Check& check) { return check.verdict == Verdict::kFailed; });
}

Result<std::unique_ptr<Validator>> Validator::create(engine::Engine& engine,
                                                     const std::filesystem::path& data,
                                                     const ValidateOptions& options) {
  std::unique_ptr<Validator> validator(new Validator(engine, data, options));
  ORDO_TRY_ASSIGN(validator->manifest_, spaces::loadManifest(data, engine.info()));
  return validator;
}

Result<Validation> Validator::validate(const recipe::State& state) {
  Validation result;
  const auto add = [&](Check check) {
    result.checks.push_back(std::move(check));
    return result.checks.back().verdict != Verdict::kFailed;
  };
  std::shared_ptr<const env::EpisodeProgram> program;
  ORDO_TRY_ASSIGN(Check of_program, checkProgram(state, program));
  if (!add(std::move(of_program))) return result;

  env::SessionSpec spec{state.program, program->program, {}, program->settings};
  std::vector<env::ActionIndex> indices;
  ORDO_TRY_ASSIGN(Check of_actions, checkActions(state, spec, indices));
  if (!add(std::move(of_actions))) return result;

  std::vector<double> measured;
  std::string bitcode;
  ORDO_TRY_ASSIGN(Check of_replay, checkReplay(state, spec, indices, measured, bitcode));
  if (!add(std::move(of_replay))) return result;
  add(checkValue(state, measured.front()));
  if (!state.reward.empty()) add(checkReward(state, *program, measured.back()));

  if (!options_.run) return result;
  if (engine::functionUri(state.program)) {
    add(skipped("output", "a function does not run by itself"));
    return result;
  }
  ORDO_TRY_ASSIGN(const Behaviour* clang, reference(state));
  std::vector<env::Action> taken;
  for (const env::ActionIndex index : indices) {
    if (index != env::kPipe) taken.push_back(spec.actions[index]);
  }
  ORDO_TRY_ASSIGN(Check of_output, checkOutput(*clang, bitcode, taken, options_.retries));
  add(std::move(of_output));
  ORDO_TRY_ASSIGN(Check of_address, checkAddress(*clang, bitcode, options_.retries));
  add(std::move(of_address));
  add(clang->source_check);
  return result;
}

Result<Check> Validator::checkProgram(const recipe::State& state,
                                      std::shared_ptr<const env::EpisodeProgram>& program) {
  const char* const kName = "program";
  const Result<frontend::Level> level = frontend::parseLevel(state.level);
  if (!level) return failed(kName, level.error().message);
  engine::LibraryOptions wanted{.level = *level, .values = {}, .evaluation = true};
  std::vector<std::string> metrics;
  for (const env::MetricInfo& metric : engine_.info().metrics) metrics.push_back(metric.name);
  if (std::find(metrics.begin(), metrics.end(), state.metric) == metrics.end())
    return failed(kName, unknownName("metric", state.metric, metrics));
  if (!state.reward.empty()) {
    const Result<env::Reward> reward = env::parseReward(state.reward, metrics, engine::baselineNames());
    if (!reward) return failed(kName, reward.error().message);
    wanted.values.push_back(reward->metric + "/initial");
    if (!reward->baseline.empty()) wanted.values.push_back(reward->metric + "/" + reward->baseline);
  }
  std::unique_ptr<engine::ProgramLibrary>& library =
      libraries_[fmt::format("{} {}", state.level, fmt::join(wanted.values, " "))];
  if (library == nullptr) {
    ORDO_TRY_ASSIGN(library, engine::ProgramLibrary::create(engine_, wanted));
  }
  Result<std::shared_ptr<const env::EpisodeProgram>> loaded = library->load(state.program);
  if (!loaded) return failed(kName, loaded.error().message);
  program = *std::move(loaded);
  if (program->hash == state.program_hash) return passed(kName);
  return failed(kName, fmt::format("is another program now (hash {}): the source, its flags or clang changed",
                                   program->hash.hex()));
}

Result<Check> Validator::checkActions(const recipe::State& state, env::SessionSpec& spec,
                                      std::vector<env::ActionIndex>& indices) {
  const char* const kName = "actions";
  if (!spaces_.contains(state.space)) {
    Result<spaces::Space> loaded = spaces::loadSpace(data_, state.space, manifest_);
    if (!loaded) return failed(kName, loaded.error().message);
    spaces_.emplace(state.space, *std::move(loaded));
  }
  const Result<spaces::Space> known = spaces::beginning(spaces_.at(state.space), state.space_hash);
  if (!known) return failed(kName, known.error().message);
  const spaces::Space& space = *known;
  std::vector<std::string> names;
  for (const env::Action& action : space.actions) names.push_back(action.name);
  for (const std::string& action : state.actions) {
    if (action == "|") {
      indices.push_back(env::kPipe);
      continue;
    }
    const auto found = std::find(names.begin(), names.end(), action);
    if (found == names.end()) {
      const std::string guess = nearest(action, names);
      return failed(kName, fmt::format("the space {} has no action '{}'{}", state.space, action,
                                       guess.empty() ? "" : fmt::format("; did you mean '{}'?", guess)));
    }
    indices.push_back(static_cast<env::ActionIndex>(found - names.begin()));
  }
  spec.actions = space.actions;
  return passed(kName);
}

Result<Check> Validator::checkReplay(const recipe::State& state, const env::SessionSpec& spec,
                                     const std::vector<env::ActionIndex>& indices,
                                     std::vector<double>& measured, std::string& bitcode) {
  const char* const kName = "replay";
  Result<std::unique_ptr<env::Session>> session = engine_.backend().open(spec);
  if (!session) return failed(kName, session.error().message);
  // The metric of the state, and last that of its reward.
  const std::string of_reward = state.reward.substr(0, state.reward.find_first_of("/@"));
  const std::vector<std::string> metrics{state.metric, of_reward.empty() ? state.metric : of_reward};
  ORDO_TRY_ASSIGN(const env::StepReport report, (*session)->step({.actions = indices, .metrics = metrics}));
  if (!report.outcome.ok()) {
    const std::size_t at = report.outcome.applied;
    return failed(kName, fmt::format("action {} ({}): {}: {}", at,
                                     at < state.actions.size() ? state.actions[at] : "the last",
                                     env::name(report.outcome.status), report.outcome.detail));
  }
  for (const env::Measurement& measurement : report.measurements) {
    if (!measurement.ok())
      return failed(kName, fmt::format("{}: {}", env::name(measurement.status), measurement.detail));
    measured.push_back(measurement.value);
  }
  ORDO_TRY_ASSIGN(const env::Observation bytes, (*session)->observe("bitcode"));
  ORDO_TRY_ASSIGN(bitcode, engine::compilable(engine_, state.program, bytes.text()));
  return passed(kName);
}

Check Validator::checkValue(const recipe::State& state, double value) const {
  for (const env::MetricInfo& metric : engine_.info().metrics) {
    if (metric.name == state.metric && !metric.deterministic)
      return skipped("value", fmt::format("{} is another number each time", state.metric));
  }
  if (isClose(state.value, value, options_.tolerance)) return passed("value");
  return failed("value", fmt::format("{} is {}, not {}", state.metric, value, state.value));
}

Check Validator::checkReward(const recipe::State& state, const env::EpisodeProgram& program,
                             double value) const {
  std::vector<std::string> metrics;
  for (const env::MetricInfo& metric : engine_.info().metrics) metrics.push_back(metric.name);
  const Result<env::Reward> reward = env::parseReward(state.reward, metrics, engine::baselineNames());
  if (!reward) return failed("reward", reward.error().message);
  for (const env::MetricInfo& metric : engine_.info().metrics) {
    if (metric.name == reward->metric && !metric.deterministic)
      return skipped("reward", fmt::format("{} is another number each time", metric.name));
  }
  const double initial = program.values.at(reward->metric + "/initial");
  const double baseline =
      reward->baseline.empty() ? 0 : program.values.at(reward->metric + "/" + reward->baseline);
  const Result<double> scale = reward->scale(initial, baseline);
  if (!scale) return failed("reward", scale.error().message);
  const double earned = (initial - value) / *scale;
  if (isClose(*state.earned, earned, options_.tolerance)) return passed("reward");
  return failed("reward", fmt::format("{} earned {}, not {}", state.reward, earned, *state.earned));
}

Result<const Behaviour*> Validator::reference(const recipe::State& state) {
  const std::string key = fmt::format("{} {}", state.level, state.program);
  if (const auto known = references_.find(key); known != references_.end()) return &known->second;
  ORDO_TRY_ASSIGN(datasets::Program program, datasets::loadProgram(state.program));
  ORDO_TRY_ASSIGN(const frontend::Level level, frontend::parseLevel(state.level));
  frontend::Source source{program.source, program.language, program.cflags, program.dir,
                          program.more_sources};
  ORDO_TRY_ASSIGN(Behaviour made, observeBehaviour(std::move(program), std::move(source), level));
  return &references_.emplace(key, std::move(made)).first->second;
}

}  // namespace ordo::check
