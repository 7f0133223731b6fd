// send() makes a slot busy, finishReady() moves those that have answered to finished_, and recv() writes out
// the first of these. recv() reads the backend's activity before it looks at the slots, so that an answer
// which comes in between ends the wait at once. With kSameStep, finish() keeps the last observations, begins
// the reset itself (has_final), and calls the slot finished only after that. With kNextStep, send() begins
// the reset in place of the step. Each slot draws from a random stream of its own.
#include "env/vector_env.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ordo::env {
namespace {

// How many programs in a row may turn out unusable before that is an error.
constexpr int kBadProgramsInARow = 20;
// How often somebody who waits is asked whether to go on.
constexpr double kIdleSeconds = 0.1;

// The program's fault, as against ours.
bool isAboutTheProgram(ErrorCode code) {
  return code == ErrorCode::kCorrupt || code == ErrorCode::kUnsupported ||
         code == ErrorCode::kInvalidArgument;
}

template <typename T, typename U>
void put(T* column, std::uint32_t row, U value) {
  if (column != nullptr) column[row] = static_cast<T>(value);
}

}  // namespace

Result<std::unique_ptr<VectorEnv>> VectorEnv::create(std::shared_ptr<const EpisodeSpec> episodes,
                                                     VectorSpec spec, ProgramSource* source) {
  if (spec.programs.empty()) return fail(ErrorCode::kInvalidArgument, "an environment needs programs");
  if (spec.environments == 0) return fail(ErrorCode::kInvalidArgument, "0 environments are none");
  if (spec.batch > spec.environments) {
    return fail(ErrorCode::kInvalidArgument, "a batch of {} from {} environments", spec.batch,
                spec.environments);
  }
  for (const Sensor& sensor : episodes->sensors) {
    if (!sensor.fixed()) {
      return fail(
          ErrorCode::kInvalidArgument,
          "{} has another size for every program, so it is no part of a batch; ask single environments "
          "for it",
          sensor.name);
    }
  }
  if (spec.batch == 0) spec.batch = spec.environments;
  return std::unique_ptr<VectorEnv>(new VectorEnv(std::move(episodes), std::move(spec), source));
}

VectorEnv::VectorEnv(std::shared_ptr<const EpisodeSpec> episodes, VectorSpec spec, ProgramSource* source)
    : episodes_(std::move(episodes)), spec_(std::move(spec)), source_(source) {
  slots_.resize(spec_.environments);
  for (Slot& slot : slots_) slot.episode = std::make_unique<Episode>(episodes_);
  reseed(spec_.seed);
}

void VectorEnv::reseed(std::uint64_t seed) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].rng = Rng(seed).stream(i);
    slots_[i].drawn = 0;
    slots_[i].episode->forget();
  }
}

Status VectorEnv::beginReset(Slot& slot) {
  const std::uint64_t count = spec_.programs.size();
  const auto number = static_cast<std::uint64_t>(&slot - slots_.data());
  Error last;
  for (int tries = 0; tries < kBadProgramsInARow; ++tries) {
    const std::uint64_t index = spec_.order == ProgramOrder::kRandom
                                    ? slot.rng.below(count)
                                    : (number + slot.drawn * slots_.size()) % count;
    ++slot.drawn;
    const std::string& uri = spec_.programs[index];
    Result<std::shared_ptr<const EpisodeProgram>> program = source_->load(uri);
    Status begun = program ? slot.episode->beginReset(*std::move(program)) : fail(std::move(program).error());
    if (begun) {
      slot.program = static_cast<std::int64_t>(index);
      slot.busy = slot.fresh = true;
      return {};
    }
    last = std::move(begun).error();
    if (!isAboutTheProgram(last.code)) break;
    const bool known = std::any_of(skipped_.begin(), skipped_.end(),
                                   [&](const SkippedProgram& skipped) { return skipped.uri == uri; });
    if (!known) skipped_.push_back({uri, last.message});
    if (count == 1) break;
  }
  return fail(std::move(last));
}

Status VectorEnv::reset(std::span<const std::uint32_t> which, std::optional<std::uint64_t> seed) {
  if (seed) reseed(*seed);
  const auto restart = [&](Slot& slot) -> Status {
    if (slot.busy) static_cast<void>(slot.episode->finish());  // of no interest any more, an error neither
    slot.busy = slot.finished = slot.has_final = false;
    std::erase(finished_, static_cast<std::uint32_t>(&slot - slots_.data()));
    return beginReset(slot);
  };
  if (which.empty()) {
    for (Slot& slot : slots_) ORDO_TRY(restart(slot));
  }
  for (const std::uint32_t environment : which) {
    if (environment >= slots_.size())
      return fail(ErrorCode::kInvalidArgument, "there is no environment {}", environment);
    ORDO_TRY(restart(slots_[environment]));
  }
  return {};
}

Status VectorEnv::send(std::span<const std::int64_t> actions, std::span<const std::int32_t> environments) {
  const std::size_t count = environments.empty() ? slots_.size() : environments.size();
  if (actions.size() != count) {
    return fail(ErrorCode::kInvalidArgument, "{} actions for {} environments", actions.size(), count);
  }
  // Nothing is sent before all of it is known to be right: an error leaves everything as it was.
  ++sends_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t environment = environments.empty() ? static_cast<std::int64_t>(i) : environments[i];
    if (environment < 0 || environment >= static_cast<std::int64_t>(slots_.size()))
      return fail(ErrorCode::kInvalidArgument, "there is no environment {}", environment);
    Slot& slot = slots_[static_cast<std::size_t>(environment)];
    if (slot.busy || slot.finished || slot.program < 0) {
      return fail(ErrorCode::kInvalidArgument, "environment {} {}", environment,
                  slot.program < 0 ? "was never reset" : "has not been received since its last action");
    }
    if (std::exchange(slot.sent, sends_) == sends_)
      return fail(ErrorCode::kInvalidArgument, "environment {} is there twice", environment);
    if (slot.step.done() && spec_.autoreset == Autoreset::kNextStep) continue;
    if (slot.step.done() && spec_.autoreset == Autoreset::kDisabled) {
      return fail(ErrorCode::kInvalidArgument, "the episode of environment {} has ended; reset it",
                  environment);
    }
    if (actions[i] < 0 || actions[i] >= episodes_->choices()) {
      return fail(ErrorCode::kInvalidArgument, "action {} of environment {} is not in 0..{}", actions[i],
                  environment, episodes_->choices() - 1);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    Slot& slot = slots_[environments.empty() ? i : static_cast<std::size_t>(environments[i])];
    if (slot.step.done() && spec_.autoreset == Autoreset::kNextStep) {
      ORDO_TRY(beginReset(slot));
      continue;
    }
    ORDO_TRY(slot.episode->beginStep(static_cast<std::uint32_t>(actions[i])));
    slot.busy = true;
    slot.fresh = false;
  }
  return {};
}

Status VectorEnv::finish(Slot& slot) {
  slot.busy = false;
  Result<EpisodeStep> step = slot.episode->finish();
  if (!step) return fail(std::move(step).error());
  if (slot.has_final) {
    slot.finished = true;  // the reset that belongs to the last step of the episode before
    return {};
  }
  slot.step = *std::move(step);
  slot.total = slot.episode->totalReward();
  slot.steps = slot.episode->steps();
  if (slot.step.done() && !slot.fresh && spec_.autoreset == Autoreset::kSameStep) {
    slot.final_observations.resize(episodes_->sensors.size());
    for (std::size_t i = 0; i < slot.final_observations.size(); ++i) {
      const Observation observation = slot.episode->observation(i);
      slot.final_observations[i].assign(observation.bytes.begin(), observation.bytes.end());
    }
    slot.has_final = true;
    return beginReset(slot);
  }
  slot.finished = true;
  return {};
}

Status VectorEnv::finishReady() {
  for (Slot& slot : slots_) {
    if (!slot.busy || !slot.episode->ready()) continue;
    ORDO_TRY(finish(slot));
    if (slot.finished) finished_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
  }
  return {};
}

Result<std::uint32_t> VectorEnv::recv(const Batch& batch, const std::function<bool()>& idle) {
  const std::uint32_t under_way = underWay();
  const std::uint32_t wanted = std::min(spec_.batch, under_way);
  const SteadyClock clock;
  const double start = clock.seconds();
  while (finished_.size() < wanted) {
    const std::uint32_t seen = episodes_->backend->activity();
    const std::size_t before = finished_.size();
    ORDO_TRY(finishReady());
    if (finished_.size() > before) continue;
    // Asking costs something, so not before it takes a while.
    if (idle && clock.seconds() - start > kIdleSeconds && !idle()) return 0;
    episodes_->backend->awaitActivity(seen, kIdleSeconds, episodes_->spin);
  }
  if (wanted == under_way) std::sort(finished_.begin(), finished_.end());
  for (std::uint32_t row = 0; row < wanted; ++row) {
    Slot& slot = slots_[finished_[row]];
    write(finished_[row], row, batch);
    slot.finished = slot.has_final = false;
  }
  finished_.erase(finished_.begin(), finished_.begin() + wanted);
  return wanted;
}

void VectorEnv::write(std::uint32_t environment, std::uint32_t row, const Batch& batch) {
  Slot& slot = slots_[environment];
  for (std::size_t i = 0; i < episodes_->sensors.size(); ++i) {
    const std::size_t bytes = episodes_->sensors[i].bytes();
    if (i < batch.observations.size() && batch.observations[i] != nullptr) {
      const Observation observation = slot.episode->observation(i);
      ORDO_CHECK(observation.bytes.size() == bytes, "{}: {} bytes instead of {}", episodes_->sensors[i].name,
                 observation.bytes.size(), bytes);
      std::memcpy(batch.observations[i] + row * bytes, observation.bytes.data(), bytes);
    }
    if (slot.has_final && i < batch.final_observations.size() && batch.final_observations[i] != nullptr)
      std::memcpy(batch.final_observations[i] + row * bytes, slot.final_observations[i].data(), bytes);
  }
  if (batch.masks != nullptr) {
    const std::uint32_t choices = episodes_->choices();
    slot.episode->mask({batch.masks + std::size_t{row} * choices, choices});
  }
  put(batch.environments, row, environment);
  put(batch.rewards, row, slot.step.reward);
  put(batch.terminated, row, slot.step.terminated());
  put(batch.truncated, row, slot.step.truncated());
  put(batch.status, row, slot.step.status);
  put(batch.ending, row, slot.step.ending);
  put(batch.changed, row, slot.step.changed);
  put(batch.steps, row, slot.steps);
  put(batch.metric, row, slot.step.metric);
  put(batch.seconds, row, slot.step.seconds);
  put(batch.returns, row, slot.total);
  put(batch.programs, row, slot.program);
  if (slot.has_final) slot.step = {};  // the next episode has begun
}

std::uint32_t VectorEnv::underWay() const {
  return static_cast<std::uint32_t>(std::count_if(
      slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.busy || slot.finished; }));
}

}  // namespace ordo::env
