// A step has two halves: beginStep() sends the session one request, and finish() reads its report. The usual
// course is finishStep(): note the action, see whether the episode ends, keep() what was seen, pay(). If the
// state cannot be looked at or measured any more, takeBack() resets the session and replays actions_ without
// the one that failed; breakOff() ends the episode where that does not lead back, or where it is found broken
// only at the end. pay() rewards all change since it last paid, so a measurement that is left out loses
// nothing. A state is named by a chain of hashes, from the program over the actions that changed it.
#include "env/episode.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ordo::env {
namespace {

const double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

template <typename T>
Observation view(DType dtype, std::span<const T> values) {
  return {dtype, {static_cast<std::uint32_t>(values.size())}, std::as_bytes(values)};
}

Hash128 after(const Hash128& state, ActionIndex action) {
  std::array<char, sizeof state + sizeof action> bytes;
  std::memcpy(bytes.data(), &state, sizeof state);
  std::memcpy(bytes.data() + sizeof state, &action, sizeof action);
  return hashBytes({bytes.data(), bytes.size()});
}

}  // namespace

std::string_view name(Ending ending) {
  switch (ending) {
    case Ending::kNone:
      return "";
    case Ending::kStopped:
      return "stopped";
    case Ending::kStepLimit:
      return "step limit";
    case Ending::kExhausted:
      return "no action left";
    case Ending::kBroken:
      return "broken program";
  }
  return "unknown";
}

Episode::Episode(std::shared_ptr<const EpisodeSpec> spec) : spec_(std::move(spec)) {
  for (const Sensor& sensor : spec_->sensors) {
    const bool metric = sensor.source == Sensor::Source::kMetric;
    std::vector<std::string>& names = metric ? metric_names_ : backend_names_;
    slots_.push_back(names.size());
    if (metric || sensor.source == Sensor::Source::kBackend) names.push_back(sensor.name);
  }
  measured_.resize(metric_names_.size(), kNotMeasured);
}

StepRequest Episode::request(bool verify, bool measure) const {
  StepRequest request;
  request.hash = spec_->hash;
  request.legal = true;
  request.verify = verify;
  request.observations = backend_names_;
  request.metrics = metric_names_;
  if (measure) request.metrics.push_back(spec_->reward.metric);
  request.spin = spec_->spin;
  return request;
}

Status Episode::begin(Phase phase, const StepRequest& request) {
  began_s_ = clock_.seconds();
  ORDO_TRY(session_->beginStep(request));
  phase_ = phase;
  return {};
}

Status Episode::beginReset(std::shared_ptr<const EpisodeProgram> program) {
  ORDO_CHECK(phase_ == Phase::kIdle, "a reset in the middle of a step");
  const auto known = [&](std::string_view what) {
    const auto found = program->values.find(fmt::format("{}/{}", spec_->reward.metric, what));
    return found == program->values.end() ? kNotMeasured : found->second;
  };
  const double initial = known("initial");
  Result<double> scale = spec_->reward.scale(initial, known(spec_->reward.baseline));
  if (!scale) return fail(std::move(scale).error().context(program->uri));
  scale_ = *scale;
  metric_ = paid_ = initial;
  total_ = 0;
  const bool same = session_ != nullptr && program_ != nullptr && program_->hash == program->hash;
  program_ = std::move(program);
  actions_.clear();
  states_.clear();
  applied_ = 0;
  history_.assign(spec_->max_steps, -1);
  histogram_.assign(spec_->actions.size(), 0);
  steps_ = 0;
  state_ = program_->hash;
  ending_ = Ending::kNone;
  if (!same) {
    session_.reset();  // first, so that its worker is free for the next
    ORDO_TRY_ASSIGN(session_, spec_->backend->open(
                                  {program_->uri, program_->program, spec_->actions, program_->settings}));
  }
  StepRequest first = request(true, false);
  first.reset = same;
  return begin(Phase::kReset, first);
}

Status Episode::beginStep(std::uint32_t action) {
  ORDO_CHECK(phase_ == Phase::kIdle && session_ != nullptr, "a step without a reset");
  ORDO_CHECK(action < spec_->choices(), "action {} of {}", action, spec_->choices());
  ORDO_CHECK(ending_ == Ending::kNone, "a step after the end");
  action_ = action;
  const bool stop = action == spec_->actions.size();
  const bool last = stop || (spec_->max_steps != 0 && steps_ + 1 == spec_->max_steps);
  StepRequest next = request(spec_->verify_each || last, last || !spec_->reward.at_end);
  // What is unsafe is not even tried.
  if (!stop && spec_->safe[action] != 0) next.actions.push_back(action);
  return begin(Phase::kStep, next);
}

Result<EpisodeStep> Episode::finish() {
  const Phase phase = std::exchange(phase_, Phase::kIdle);
  ORDO_CHECK(phase != Phase::kIdle, "nothing was begun");
  Result<StepReport> finished = session_->finishStep();
  if (!finished && phase == Phase::kStep) return recover(std::move(finished).error());
  ORDO_TRY_ASSIGN(StepReport report, std::move(finished));
  EpisodeStep step;
  if (phase == Phase::kReset) {
    if (!observed(report)) {
      return fail(ErrorCode::kCorrupt, "{}: {} as given: {}", program_->uri, name(report.outcome.status),
                  report.outcome.detail);
    }
    if (const Measurement* bad = keep(report)) {
      return fail(ErrorCode::kCorrupt, "{}: {} as given: {}", program_->uri, name(bad->status), bad->detail);
    }
    step.metric = metric_;
    ending_ = step.ending = endingNow(false);
  } else {
    ORDO_TRY_ASSIGN(step, finishStep(report));
  }
  step.hash = report.hash;
  step.seconds = clock_.seconds() - began_s_;
  return step;
}

Result<EpisodeStep> Episode::finishStep(StepReport& report) {
  const bool stop = action_ == spec_->actions.size();
  const bool refused = !stop && spec_->safe[action_] == 0;
  const bool taken = !stop && !refused && report.outcome.ok();
  std::vector<std::uint8_t> legal_before = std::exchange(legal_, report.legal);
  EpisodeStep step;
  if (!stop) {
    step.status = refused ? StepStatus::kRejected : report.outcome.status;
    step.detail = refused ? fmt::format("{} is marked as unsafe", spec_->actions[action_].name)
                          : std::move(report.outcome.detail);
  }
  step.changed = taken && report.outcome.changed;
  ++steps_;
  if (taken) {
    if (!step.changed) useless_.note(state_, action_, false);
    states_.push_back(state_);
    if (step.changed) state_ = after(state_, action_);
    if (applied_ < history_.size()) history_[applied_] = action_;
    ++applied_;
    actions_.push_back(action_);
    ++histogram_[action_];
  } else if (!stop) {
    useless_.note(state_, action_, true);
  }
  ending_ = endingNow(stop);
  // Nobody could know that this would be the last.
  if (ending_ == Ending::kExhausted && (spec_->reward.at_end || !spec_->verify_each)) {
    ORDO_TRY_ASSIGN(report, session_->step(request(true, true)));
  }
  if (!observed(report)) return takeBack(std::move(step), report);
  if (const Measurement* bad = keep(report)) {
    const bool broken = ending_ != Ending::kNone && !spec_->verify_each;
    if (broken || taken) {
      step.status = bad->status;
      step.detail = bad->detail;
    }
    if (broken) return breakOff(std::move(step));
    if (taken) {
      step.changed = false;
      drop();
      useless_.note(state_, action_, true);
      legal_ = std::move(legal_before);
      ending_ = endingNow(false);  // of the state before
    }
    return takeBack(std::move(step), report);
  }
  if (ending_ != Ending::kNone || !spec_->reward.at_end) total_ += step.reward = pay();
  step.metric = metric_;
  step.ending = ending_;
  return step;
}

Result<EpisodeStep> Episode::recover(Error error) {
  const bool stop = action_ == spec_->actions.size();
  EpisodeStep step;
  ++steps_;
  if (!stop) {
    step.status = StepStatus::kCrashed;
    step.detail = std::move(error.message);
    useless_.note(state_, action_, true);
  }
  ending_ = endingNow(stop);
  StepReport report;
  ORDO_TRY_ASSIGN(step, takeBack(std::move(step), report));
  step.hash = report.hash;
  step.seconds = clock_.seconds() - began_s_;
  return step;
}

Result<EpisodeStep> Episode::takeBack(EpisodeStep step, StepReport& report) {
  Result<StepReport> again = revisit(ending_ != Ending::kNone);
  if (!again && again.error().code == ErrorCode::kUnavailable) {
    if (step.status == StepStatus::kOk) step.status = StepStatus::kCrashed;
    step.detail += (step.detail.empty() ? "" : "; ") + again.error().message;
    return breakOff(std::move(step));
  }
  ORDO_TRY_ASSIGN(report, std::move(again));
  if (ending_ != Ending::kNone || !spec_->reward.at_end) total_ += step.reward = pay();
  step.metric = metric_;
  step.ending = ending_;
  return step;
}

void Episode::blank() {
  observed_.clear();
  seen_.clear();
  for (const Sensor& sensor : spec_->sensors) {
    if (sensor.source != Sensor::Source::kBackend) continue;
    const std::vector<std::byte>& zeros = seen_.emplace_back(sensor.bytes());
    observed_.push_back({sensor.dtype, sensor.shape, zeros});
  }
}

EpisodeStep Episode::breakOff(EpisodeStep step) {
  ending_ = step.ending = Ending::kBroken;
  // As if it took twice as long: with an experiment, to do nothing is not to be as good as the baseline.
  step.reward = -total_ - (isExperiment(spec_->reward.metric) ? 1 : 0);
  step.metric = kNotMeasured;
  total_ = 0;
  return step;
}

Result<StepReport> Episode::revisit(bool verify) {
  // What an experiment takes is for ends only.
  StepRequest again = request(verify, ending_ != Ending::kNone || !isExperiment(spec_->reward.metric));
  again.reset = true;
  again.actions = actions_;
  blank();  // what was seen ends with this request, whatever comes of it
  ORDO_TRY_ASSIGN(StepReport report, session_->step(again));
  const Measurement* bad = observed(report) ? keep(report) : nullptr;
  if (!report.outcome.ok() || bad != nullptr) {
    return fail(ErrorCode::kUnavailable, "{}: {} actions that worked before do not work again: {}",
                program_->uri, actions_.size(), bad != nullptr ? bad->detail : report.outcome.detail);
  }
  return report;
}

void Episode::drop() {
  while (actions_.back() == kPipe) forgetLast();
  --histogram_[actions_.back()];
  --applied_;
  if (applied_ < history_.size()) history_[applied_] = -1;
  forgetLast();
}

void Episode::forgetLast() {
  actions_.pop_back();
  state_ = states_.back();
  states_.pop_back();
}

const Measurement* Episode::keep(const StepReport& report) {
  observed_ = report.observations;
  legal_ = report.legal;
  for (const Measurement& measurement : report.measurements) {
    if (!measurement.ok()) return &measurement;
  }
  for (std::size_t i = 0; i < measured_.size(); ++i) measured_[i] = report.measurements[i].value;
  if (report.measurements.size() > measured_.size()) metric_ = report.measurements.back().value;
  return nullptr;
}

double Episode::pay() {
  const double earned = (paid_ - metric_) / scale_;
  paid_ = metric_;
  return earned;
}

Ending Episode::endingNow(bool stop) const {
  if (stop) return Ending::kStopped;
  if (spec_->max_steps != 0 && steps_ >= spec_->max_steps) return Ending::kStepLimit;
  if (spec_->stop_action) return Ending::kNone;
  std::vector<std::uint8_t> legal(spec_->choices());
  mask(legal);
  return std::count(legal.begin(), legal.end(), 1) == 0 ? Ending::kExhausted : Ending::kNone;
}

Result<EpisodeStep> Episode::reset(std::shared_ptr<const EpisodeProgram> program) {
  ORDO_TRY(beginReset(std::move(program)));
  return finish();
}

Result<EpisodeStep> Episode::step(std::uint32_t action) {
  ORDO_TRY(beginStep(action));
  return finish();
}

Result<EpisodeStep> Episode::undo(std::uint32_t steps) {
  ORDO_CHECK(phase_ == Phase::kIdle && session_ != nullptr, "undo without a reset");
  if (steps > applied_) {
    return fail(ErrorCode::kInvalidArgument, "{} of {} actions cannot be taken back", steps, applied_);
  }
  for (std::uint32_t i = 0; i < steps; ++i) drop();
  steps_ -= std::min(steps, steps_);
  ending_ = Ending::kNone;
  ORDO_TRY_ASSIGN(const StepReport report, revisit(spec_->verify_each));
  EpisodeStep step;
  if (!spec_->reward.at_end) total_ += step.reward = pay();
  step.changed = true;
  step.metric = metric_;
  step.hash = report.hash;
  return step;
}

Result<std::unique_ptr<Episode>> Episode::fork() {
  ORDO_CHECK(phase_ == Phase::kIdle && session_ != nullptr, "a fork without a reset");
  auto copy = std::make_unique<Episode>(spec_);
  // The same state looks the same; and what the session says next overwrites what was seen.
  copy->observed_ = observed_;
  for (Observation& observation : copy->observed_) {
    copy->seen_.emplace_back(observation.bytes.begin(), observation.bytes.end());
    observation.bytes = copy->seen_.back();
  }
  copy->measured_ = measured_;
  ORDO_TRY_ASSIGN(copy->session_, session_->fork());
  copy->program_ = program_;
  copy->ending_ = ending_;
  copy->actions_.assign(copy->session_->history().begin(), copy->session_->history().end());
  copy->states_ = states_;
  copy->states_.resize(copy->actions_.size(), state_);  // where it begins, if that is a kPipe
  copy->applied_ = applied_;
  copy->history_ = history_;
  copy->histogram_ = histogram_;
  copy->legal_ = legal_;
  copy->steps_ = steps_;
  copy->scale_ = scale_;
  copy->metric_ = metric_;
  copy->paid_ = paid_;
  copy->total_ = total_;
  copy->state_ = state_;
  copy->useless_ = useless_;
  // Ours are gone from shared memory now.
  observed_ = copy->observed_;
  seen_ = copy->seen_;
  for (std::size_t i = 0; i < observed_.size(); ++i) observed_[i].bytes = seen_[i];
  return copy;
}

Observation Episode::observation(std::size_t sensor) const {
  const Sensor& what = spec_->sensors[sensor];
  switch (what.source) {
    case Sensor::Source::kBackend:
      return observed_[slots_[sensor]];
    case Sensor::Source::kMetric:
      return view(DType::kFloat64, std::span<const double>(&measured_[slots_[sensor]], 1));
    case Sensor::Source::kValue:
      if (const auto found = program_->values.find(what.name); found != program_->values.end())
        return view(DType::kFloat64, std::span<const double>(&found->second, 1));
      [[fallthrough]];
    case Sensor::Source::kExperiment:
      return view(DType::kFloat64, std::span<const double>(&kNotMeasured, 1));
    case Sensor::Source::kHistory:
      return view(DType::kInt64, std::span<const std::int64_t>(history_));
    case Sensor::Source::kHistogram:
      return view(DType::kInt64, std::span<const std::int64_t>(histogram_));
  }
  ORDO_CHECK(false, "a sensor without a source");
}

void Episode::mask(std::span<std::uint8_t> out) const {
  ORDO_CHECK(out.size() == spec_->choices(), "a mask of {} for {}", out.size(), spec_->choices());
  for (ActionIndex action = 0; action < spec_->actions.size(); ++action) {
    const bool exhausted = spec_->max_uses != 0 && histogram_[action] >= spec_->max_uses;
    const bool legal = legal_.empty() || legal_[action] != 0;
    out[action] = legal && spec_->safe[action] != 0 && !exhausted;
  }
  if (spec_->stop_action) out.back() = 1;
  useless_.mask(state_, spec_->mask_no_effect, out);
}

}  // namespace ordo::env
