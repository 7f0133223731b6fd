// The episode (env/episode.h) does the work; metrics_ and hashes_ are kept beside its actions, one longer,
// and shrink with an undo. Previews are kept by the hash of the state, so that coming back to a state by any
// way finds them; they are all forgotten when they are of too many states. tryAll(), textBefore() and
// textAfter() work on forks and leave the episode alone. After an error recover() applies the same actions
// again in a new episode, or gives the program up.
#include "shell/workbench.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "support/text.h"

namespace ordo::shell {
namespace {

constexpr std::size_t kRememberedStates = 256;

Error context(Error error, std::string_view where) { return std::move(error).context(where); }

void sortPreviews(std::vector<Preview>& previews) {
  std::sort(previews.begin(), previews.end(), [](const Preview& a, const Preview& b) {
    if (a.ok() != b.ok()) return a.ok();
    if (!a.ok()) return a.action < b.action;
    return a.metric != b.metric ? a.metric < b.metric : a.action < b.action;
  });
}

}  // namespace

std::vector<double> Observed::numbers() const {
  const auto read = [&]<typename T>(T) {
    std::vector<double> values(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
      T value;
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      values[i] = static_cast<double>(value);
    }
    return values;
  };
  switch (sensor.dtype) {
    case DType::kInt64:
      return read(std::int64_t{});
    case DType::kFloat32:
      return read(float{});
    case DType::kFloat64:
      return read(double{});
    case DType::kBytes:
      break;
  }
  ORDO_CHECK(false, "{} is not numbers", sensor.name);
}

Workbench::Workbench(WorkbenchSpec spec)
    : spec_(std::move(spec)), episodes_(std::make_shared<env::EpisodeSpec>()), rng_(spec_.seed) {
  ORDO_CHECK(!spec_.reward.at_end, "a reward at the end of what has none");
  episodes_->backend = spec_.backend;
  episodes_->actions = spec_.actions;
  episodes_->safe = spec_.safe;
  episodes_->reward = spec_.reward;
  // A person wants to know at once that a program is broken.
  episodes_->verify_each = true;
  episodes_->hash = true;
  sensors_ =
      env::allSensors(spec_.info, spec_.baselines, static_cast<std::uint32_t>(spec_.actions.size()), 0);
  for (const env::ObservationInfo& observation : spec_.info.observations) {
    if (observation.name == "ir" || (text_name_.empty() && observation.name == "text"))
      text_name_ = observation.name;
  }
}

Status Workbench::load(const std::string& uri) {
  ORDO_TRY_ASSIGN(std::shared_ptr<const env::EpisodeProgram> program, spec_.programs->load(uri));
  auto episode = std::make_unique<env::Episode>(episodes_);
  ORDO_TRY_ASSIGN(const env::EpisodeStep first, episode->reset(program));
  episode_ = std::move(episode);
  program_ = std::move(program);
  previews_.clear();
  baseline_values_.clear();
  started(first);
  return {};
}

void Workbench::started(const env::EpisodeStep& first) {
  metrics_ = {first.metric};
  hashes_ = {first.hash};
  began_s_ = clock_.seconds();
}

double Workbench::seconds() const { return clock_.seconds() - began_s_; }

Result<env::EpisodeStep> Workbench::apply(env::ActionIndex action) {
  const std::vector<env::ActionIndex> before = actions();
  Result<env::EpisodeStep> step = episode_->step(action);
  if (!step) {
    ORDO_TRY(recover(before, step.error()));
    return fail(context(step.error(), "the state is as before"));
  }
  if (actions().size() > before.size()) {
    metrics_.push_back(step->metric);
    hashes_.push_back(step->hash);
  }
  return step;
}

Status Workbench::undo(std::uint32_t steps) {
  const std::vector<env::ActionIndex> before = actions();
  if (steps > before.size()) {
    return fail(ErrorCode::kInvalidArgument, "only {} action{} can be taken back", before.size(),
                before.size() == 1 ? "" : "s");
  }
  const Result<env::EpisodeStep> step = episode_->undo(steps);
  if (!step) {
    ORDO_TRY(recover(before, step.error()));
    return fail(context(step.error(), "the state is as before"));
  }
  metrics_.resize(actions().size() + 1);
  hashes_.resize(actions().size() + 1);
  return {};
}

Status Workbench::reset() {
  const Result<env::EpisodeStep> first = episode_->reset(program_);
  if (!first) return recover({}, first.error());
  started(*first);
  return {};
}

Status Workbench::recover(std::vector<env::ActionIndex> actions, Error error) {
  episode_ = std::make_unique<env::Episode>(episodes_);
  Result<env::EpisodeStep> step = episode_->reset(program_);
  if (step) started(*step);
  for (const env::ActionIndex action : actions) {
    if (!step || !step->detail.empty()) break;
    step = episode_->step(action);
    if (!step) break;
    metrics_.push_back(step->metric);
    hashes_.push_back(step->hash);
  }
  if (step && episode_->actions() == actions) return {};
  episode_.reset();
  return fail(context(std::move(error), "the program is lost, load it again"));
}

Result<Previews> Workbench::tryAll(const Progress& progress) {
  if (previews_.size() >= kRememberedStates && !previews_.contains(hashes_.back())) previews_.clear();
  std::vector<Preview>& done = previews_[hashes_.back()];
  const auto total = static_cast<std::size_t>(
      std::count_if(spec_.safe.begin(), spec_.safe.end(), [](auto safe) { return safe != 0; }));
  for (env::ActionIndex action = 0; action < spec_.actions.size() && !stopped(); ++action) {
    if (spec_.safe[action] == 0 || known(action) != nullptr) continue;
    if (progress) progress(done.size(), total);
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Episode> fork, episode_->fork());
    ORDO_TRY_ASSIGN(env::EpisodeStep step, fork->step(action));
    done.push_back({action, step.status, step.changed && step.hash != hashes_.back(), step.metric,
                    std::move(step.detail)});
  }
  Previews previews{done, total - done.size()};
  sortPreviews(previews.best_first);
  return previews;
}

const Preview* Workbench::known(env::ActionIndex action) const {
  const auto here = previews_.find(hashes_.back());
  if (here == previews_.end()) return nullptr;
  const auto found = std::find_if(here->second.begin(), here->second.end(),
                                  [&](const Preview& preview) { return preview.action == action; });
  return found == here->second.end() ? nullptr : &*found;
}

std::vector<std::uint8_t> Workbench::mask() const {
  std::vector<std::uint8_t> mask(episodes_->choices());
  episode_->mask(mask);
  mask.pop_back();  // the stop action, which a prompt does not have
  return mask;
}

std::optional<env::ActionIndex> Workbench::randomAction() {
  const std::vector<std::uint8_t> legal = mask();
  std::vector<env::ActionIndex> choices;
  for (env::ActionIndex action = 0; action < legal.size(); ++action) {
    const Preview* preview = known(action);
    if (legal[action] != 0 && (preview == nullptr || (preview->ok() && preview->changed)))
      choices.push_back(action);
  }
  if (choices.empty()) return std::nullopt;
  return rng_.pick(std::span(choices));
}

std::vector<env::Action> Workbench::appliedActions() const {
  std::vector<env::Action> applied;
  for (const env::ActionIndex action : actions()) applied.push_back(spec_.actions[action]);
  return applied;
}

std::optional<Reference> Workbench::reference() const {
  const auto& values = program().values;
  const auto found = values.find(fmt::format("{}/{}", spec_.reward.metric, spec_.reference));
  if (found == values.end()) return std::nullopt;
  return Reference{spec_.reference, found->second};
}

Result<Observed> Workbench::observe(const std::string& name) {
  ORDO_TRY_ASSIGN(const std::vector<env::Sensor> found, env::findSensors(sensors_, {name}));
  Observed observed{found[0], found[0].shape, {}, {}};
  const auto keep = [&](double value) {
    observed.bytes.assign(reinterpret_cast<const char*>(&value), sizeof value);
    return observed;
  };
  switch (observed.sensor.source) {
    case env::Sensor::Source::kBackend: {
      ORDO_TRY_ASSIGN(const env::Observation view, episode_->session().observe(name));
      observed.shape = view.shape;
      observed.bytes = view.text();
      for (const env::ObservationInfo& info : spec_.info.observations) {
        if (info.name == name) observed.element_names = info.element_names;
      }
      return observed;
    }
    case env::Sensor::Source::kMetric: {
      ORDO_TRY_ASSIGN(const env::Measurement measurement, measure(name));
      if (!measurement.ok()) return fail(ErrorCode::kUnsupported, "{}", measurement.detail);
      return keep(measurement.value);
    }
    case env::Sensor::Source::kValue: {
      if (const auto value = program().values.find(name); value != program().values.end())
        return keep(value->second);
      const std::string metric = name.substr(0, name.find('/'));
      ORDO_TRY_ASSIGN(const auto values, baselineValues(metric));
      const auto value = values.find(name.substr(metric.size() + 1));
      return keep(value == values.end() ? std::numeric_limits<double>::quiet_NaN() : value->second);
    }
    case env::Sensor::Source::kHistogram: {
      std::vector<std::int64_t> counts(spec_.actions.size());
      for (const env::ActionIndex action : actions()) ++counts[action];
      observed.bytes.assign(reinterpret_cast<const char*>(counts.data()), counts.size() * sizeof counts[0]);
      for (const env::Action& action : spec_.actions) observed.element_names.push_back(action.name);
      return observed;
    }
    case env::Sensor::Source::kHistory:  // there is none, for there is no limit to the steps
    case env::Sensor::Source::kExperiment:
      return keep(std::numeric_limits<double>::quiet_NaN());
  }
  return fail(ErrorCode::kInternal, "a sensor without a source");
}

Result<env::Measurement> Workbench::measure(const std::string& metric) {
  return episode_->session().measure(metric);
}

Result<std::map<std::string, double>> Workbench::baselineValues(const std::string& metric) {
  if (const auto found = baseline_values_.find(metric); found != baseline_values_.end()) return found->second;
  if (!spec_.baseline_values) return fail(ErrorCode::kUnsupported, "nothing here knows the baselines");
  ORDO_TRY_ASSIGN(auto values, spec_.baseline_values(program().uri, metric));
  return baseline_values_[metric] = std::move(values);
}

Result<std::vector<std::string>> Workbench::stockCommands() {
  if (!spec_.stock_commands) return fail(ErrorCode::kUnsupported, "{} has no stock tools", spec_.info.name);
  return spec_.stock_commands(program().uri, appliedActions());
}

Result<std::string> Workbench::textOf(env::Episode& episode) {
  if (text_name_.empty()) return fail(ErrorCode::kUnsupported, "{} has no program text", spec_.info.name);
  ORDO_TRY_ASSIGN(const env::Observation view, episode.session().observe(text_name_));
  return std::string(view.text());
}

Result<std::string> Workbench::text() { return textOf(*episode_); }

Result<std::string> Workbench::textBefore() {
  if (actions().empty()) return fail(ErrorCode::kInvalidArgument, "no action was applied yet");
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Episode> fork, episode_->fork());
  ORDO_TRY(fork->undo(1));
  return textOf(*fork);
}

Result<std::string> Workbench::textAfter(env::ActionIndex action) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Episode> fork, episode_->fork());
  ORDO_TRY_ASSIGN(const env::EpisodeStep step, fork->step(action));
  if (step.status != env::StepStatus::kOk) {
    return fail(ErrorCode::kUnsupported, "{}: {}: {}", spec_.actions[action].name, env::name(step.status),
                step.detail);
  }
  return textOf(*fork);
}

}  // namespace ordo::shell
