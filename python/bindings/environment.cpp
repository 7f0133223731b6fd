#include "engine/worker_only.h"
#include "env/metric.h"
#include "python/bindings/bindings.h"
#include "running/observation.h"
#include "spaces/groups.h"
#include "spaces/manifest.h"
#include "support/files.h"

namespace ordo::python {
namespace {

struct Options {
  std::string space, reward, level;
  std::vector<std::string> observations;
  std::uint32_t max_steps, max_uses;
  bool stop_action, mask_no_effect, verify, hash, spin, evaluation;
  std::uint64_t cache_mib;
  double trial_seconds;
};

// How rewards of run time are measured.
Result<running::RunTimeOptions> runTimeOf(const env::Reward& reward, double trial_seconds) {
  running::RunTimeOptions options;
  options.budget_s = trial_seconds;
  if (!env::isExperiment(reward.metric)) return options;
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(reward.baseline));
  if (baseline.bare)
    return fail(ErrorCode::kInvalidArgument, "{} is compared with what clang makes: {}/clang-{}@end",
                reward.metric, reward.metric, frontend::name(baseline.level));
  options.baseline = baseline.level;
  return options;
}

Result<std::shared_ptr<Environment>> make(std::shared_ptr<Engine> engine, const Options& options) {
  engine::Engine& started = *engine->engine;
  env::BackendInfo info = started.info();
  auto environment = std::make_shared<Environment>();
  std::vector<std::string> baselines = engine::baselineNames();
  if (started.workerOnly()) {
    ORDO_TRY_ASSIGN(environment->space, engine::wholeSpace(info));
    baselines.clear();
    for (const env::Action& own : info.baselines) baselines.push_back(own.name);
  } else {
    ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), info));
    ORDO_TRY_ASSIGN(environment->space, spaces::loadSpace(dataDir(), options.space, manifest));
  }

  ORDO_TRY_ASSIGN(const frontend::Level level, frontend::parseLevel(options.level));
  auto episodes = std::make_shared<env::EpisodeSpec>();
  episodes->actions = environment->space.actions;
  episodes->safe.assign(episodes->actions.size(), 1);
  for (const env::ActionIndex index : environment->space.unsafe) episodes->safe[index] = 0;
  std::vector<std::string> metrics;
  for (const env::MetricInfo& metric : info.metrics) metrics.push_back(metric.name);
  if (!started.workerOnly()) {
    for (const env::ExperimentInfo& experiment : env::experiments()) metrics.emplace_back(experiment.name);
  }
  ORDO_TRY_ASSIGN(episodes->reward, env::parseReward(options.reward, metrics, baselines));
  episodes->backend = &started.backend();
  if (!started.workerOnly()) {
    ORDO_TRY_ASSIGN(const running::RunTimeOptions run_time,
                    runTimeOf(episodes->reward, options.trial_seconds));
    environment->backend = std::make_unique<running::RunningBackend>(started, level, run_time);
    episodes->backend = environment->backend.get();
  }
  if (environment->backend != nullptr) info = running::withRunObservations(std::move(info));
  const std::vector<env::Sensor> all = env::allSensors(
      info, baselines, static_cast<std::uint32_t>(episodes->actions.size()), options.max_steps);
  ORDO_TRY_ASSIGN(episodes->sensors, env::findSensors(all, options.observations));
  episodes->max_steps = options.max_steps;
  episodes->max_uses = options.max_uses;
  episodes->stop_action = options.stop_action;
  episodes->mask_no_effect = options.mask_no_effect;
  episodes->verify_each = options.verify;
  episodes->hash = options.hash;
  episodes->spin = options.spin;

  engine::LibraryOptions library;
  library.level = level;
  library.cache_bytes = options.cache_mib << 20;
  library.evaluation = options.evaluation;
  library.values.push_back(episodes->reward.metric + "/initial");
  if (!episodes->reward.baseline.empty())
    library.values.push_back(fmt::format("{}/{}", episodes->reward.metric, episodes->reward.baseline));
  for (const env::Sensor& sensor : episodes->sensors) {
    if (sensor.source == env::Sensor::Source::kValue) library.values.push_back(sensor.name);
    // What a metric shows before the first step.
    if (sensor.source == env::Sensor::Source::kMetric) library.values.push_back(sensor.name + "/initial");
  }
  ORDO_TRY_ASSIGN(environment->programs, engine::ProgramLibrary::create(started, std::move(library)));
  environment->engine = std::move(engine);
  environment->episodes = std::move(episodes);
  return environment;
}

nb::list sensors(const Environment& environment) {
  nb::list result;
  for (const env::Sensor& sensor : environment.episodes->sensors) {
    nb::dict one;
    one["name"] = sensor.name;
    one["dtype"] = std::string(name(sensor.dtype));
    one["shape"] = nb::tuple(nb::cast(sensor.shape));
    one["fixed"] = sensor.fixed();
    one["unit"] = sensor.unit;
    one["summary"] = sensor.summary;
    result.append(one);
  }
  return result;
}

std::vector<std::string> actionNames(const Environment& environment) {
  std::vector<std::string> names;
  for (const env::Action& action : environment.episodes->actions) names.push_back(action.name);
  return names;
}

nb::list groups(const Environment& environment) {
  nb::list result;
  for (const spaces::ActionGroup& group : spaces::groupActions(environment.episodes->actions)) {
    nb::dict one;
    one["pass"] = group.type;
    one["actions"] = group.actions;
    one["parameters"] = group.parameters;
    result.append(one);
  }
  return result;
}

std::vector<std::string> pipelines(const Environment& environment) {
  std::vector<std::string> texts;
  for (const env::Action& action : environment.episodes->actions) texts.push_back(action.text);
  return texts;
}

}  // namespace

void bindEnvironment(nb::module_& module) {
  nb::class_<Environment>(module, "Environment",
                          "Actions, sensors, reward and programs of one kind of episode.")
      .def_static(
          "make",
          [](std::shared_ptr<Engine> engine, std::string space, std::vector<std::string> observations,
             std::string reward, std::uint32_t max_steps, std::uint32_t max_uses, bool stop_action,
             bool mask_no_effect, bool verify, bool hash, bool spin, std::string level, bool evaluation,
             std::uint64_t cache_mib, double trial_seconds) {
            return value(make(std::move(engine),
                              {std::move(space), std::move(reward), std::move(level), std::move(observations),
                               max_steps, max_uses, stop_action, mask_no_effect, verify, hash, spin,
                               evaluation, cache_mib, trial_seconds}));
          },
          nb::arg("engine"), nb::kw_only(), nb::arg("space"), nb::arg("observations"), nb::arg("reward"),
          nb::arg("max_steps"), nb::arg("max_uses"), nb::arg("stop_action"), nb::arg("mask_no_effect"),
          nb::arg("verify"), nb::arg("hash"), nb::arg("spin"), nb::arg("level"), nb::arg("evaluation"),
          nb::arg("cache_mib"), nb::arg("trial_seconds"))
      .def_prop_ro("sensors", sensors)
      .def_prop_ro("actions", actionNames)
      .def_prop_ro("groups", groups)
      .def_prop_ro("pipelines", pipelines)
      .def_prop_ro("choices", [](const Environment& self) { return self.episodes->choices(); })
      .def_prop_ro("space", [](const Environment& self) { return self.space.name; })
      .def_prop_ro("space_hash", [](const Environment& self) { return self.space.hash.hex(); })
      .def_prop_ro("reward", [](const Environment& self) { return self.episodes->reward.name(); })
      .def_prop_ro("metric", [](const Environment& self) { return self.episodes->reward.metric; })
      .def_prop_ro("reward_definition",
                   [](const Environment& self) { return env::definition(self.episodes->reward); });
}

}  // namespace ordo::python
