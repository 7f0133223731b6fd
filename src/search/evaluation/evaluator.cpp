// answerAll() is the one loop: each lane takes the next place in the batch, claim() numbers it if the budget
// allows, and it is worked out without a lock; the mutex is for the memory and the counters only, and no lane
// waits for another's answer. conclude() ends what memory does not answer: the state's hash, then measure(),
// which asks the screening metric, the limits and the objective in that order. An answer is kept under two
// keys, the sequence's and Replay::keys, so that different ways to one state share what follows.
#include "search/evaluation/evaluator.h"

#include <algorithm>
#include <utility>

namespace ordo::search {
namespace {

// A searcher that hears nothing new this many times has seen its whole space.
constexpr std::uint64_t kExhausted = 10'000;

// Memory of a snapshot per byte of its program, with room for growth: one that nobody works on is kept
// in file format.
constexpr std::size_t kSessionBytesPerProgramByte = 4;

// However large the program, the baseline and one more are worth keeping.
constexpr std::size_t kFewestSnapshots = 2;

std::size_t snapshotsPerLane(const env::SessionSpec& spec, const EvaluatorOptions& options) {
  const std::size_t session_bytes = spec.program.size() * kSessionBytesPerProgramByte + 1;
  const std::size_t affordable = options.snapshot_bytes / options.jobs / session_bytes;
  return std::min(options.snapshots, std::max(affordable, kFewestSnapshots));
}

// An invalid program stays invalid whatever follows. One that is valid but that the backend could
// not measure may become measurable again.
bool isInvalid(env::StepStatus status) {
  return status == env::StepStatus::kVerifierFailed || status == env::StepStatus::kExportsChanged;
}

void setFailed(Evaluation& result, env::StepStatus status, std::string detail) {
  result.verdict = Verdict::kFailed;
  result.status = status;
  result.detail = std::move(detail);
}

}  // namespace

Result<std::unique_ptr<Evaluator>> Evaluator::open(env::Backend& backend, const env::SessionSpec& spec,
                                                   Objective objective, EvaluatorOptions options) {
  if (options.jobs == 0) return fail(ErrorCode::kInvalidArgument, "a search needs at least one job");
  ORDO_TRY_ASSIGN(env::Preference preference, env::parsePreference(objective.metric));
  const double start_s = options.clock->seconds();
  std::vector<Lane> lanes;
  for (unsigned i = 0; i < options.jobs; ++i) {
    ORDO_TRY_ASSIGN(auto session, backend.open(spec));
    lanes.emplace_back(std::move(session), snapshotsPerLane(spec, options),
                       spec.program.size() >= options.large_program);
  }
  return std::unique_ptr<Evaluator>(new Evaluator(std::move(lanes), std::move(objective),
                                                  std::move(preference), std::move(options), start_s));
}

Evaluator::Evaluator(std::vector<Lane> lanes, Objective objective, env::Preference preference,
                     EvaluatorOptions options, double start_s)
    : objective_(std::move(objective)),
      preference_(std::move(preference)),
      options_(std::move(options)),
      start_s_(start_s),
      lanes_(std::move(lanes)),
      team_(options_.jobs) {}

std::vector<Evaluation> Evaluator::evaluate(std::vector<Sequence> batch, Effort effort) {
  std::vector<Evaluation> results(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) results[i].actions = std::move(batch[i]);
  answerAll(results, effort, [&](Lane& lane, std::size_t i) { return answer(lane, effort, results[i]); });
  return results;
}

std::vector<Evaluation> Evaluator::evaluate(std::vector<Rollout> batch,
                                            const std::vector<std::string>& observations,
                                            std::size_t max_length) {
  std::vector<Evaluation> results(batch.size());
  StateGraph& graph = graphOf(observations);
  // Where time is up a rollout ends where it is, and that is still measured.
  const auto late = [this] {
    const std::lock_guard lock(mutex_);
    return outOfTime(measuring_.mean());
  };
  answerAll(results, Effort::kScreened, [&](Lane& lane, std::size_t i) -> Status {
    const double begin_s = elapsed();
    ORDO_TRY_ASSIGN(RolloutEnd end, rollOut(lane, graph, batch[i], observations, max_length, late));
    results[i].actions = end.actions;
    const std::vector<Hash128> prefixes = prefixHashes(results[i].actions);
    if (end.replay.ok() && !end.arrived()) {
      results[i].state = end.state->hash();
      if (recall(prefixes, end.replay.passes, batch[i].effort, results[i])) return {};
      ORDO_TRY(arrive(lane, end));
    }
    end.replay.keys = prefixes;
    ORDO_TRY(conclude(end.replay, prefixes, batch[i].effort, results[i]));
    const std::lock_guard lock(mutex_);
    answering_.add(elapsed() - begin_s);
    return {};
  });
  return results;
}

// What is known of states as `observations` see them. Forgets what others have seen.
StateGraph& Evaluator::graphOf(const std::vector<std::string>& observations) {
  if (observations != graph_observations_) {
    graph_ = std::make_unique<StateGraph>();
    graph_observations_ = observations;
  }
  return *graph_;
}

std::vector<Evaluator::Place> Evaluator::look(const std::vector<Sequence>& sequences,
                                              const std::vector<std::string>& observations) {
  StateGraph& graph = graphOf(observations);
  std::vector<Place> places(sequences.size());
  const auto late = [this] {
    const std::lock_guard lock(mutex_);
    return outOfTime() || error_;
  };
  const auto go = [&](Lane& lane, const Sequence& sequence, Place& place) -> Status {
    std::size_t taken = 0;
    const auto follow = [&](const Sequence&, const RolloutState& state) {
      return nextOf(sequence, taken, state);
    };
    ORDO_TRY_ASSIGN(RolloutEnd end, rollOut(lane, graph, {{}, follow}, observations, sequence.size(), late));
    const std::lock_guard lock(mutex_);
    statistics_.passes += end.replay.passes;
    if (end.replay.ok() && !outOfTime()) place = {std::move(end.actions), std::move(end.state)};
    return {};
  };
  std::atomic<std::size_t> next = 0;
  team_.run([&](unsigned member) {
    for (std::size_t i = next++; i < sequences.size(); i = next++) {
      Status gone = go(lanes_[member], sequences[i], places[i]);
      if (gone) continue;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::move(gone).error();
    }
  });
  return places;
}

Result<std::optional<std::string>> Evaluator::observe(const Evaluation& answer, std::string_view name) {
  ORDO_TRY_ASSIGN(const Replay replay,
                  lanes_.front().replay(answer.actions, prefixHashes(answer.actions), /*fresh=*/false));
  if (!replay.ok()) return std::nullopt;
  ORDO_TRY_ASSIGN(const Hash128 state, replay.session->stateHash());
  if (state != answer.state) return std::nullopt;
  ORDO_TRY_ASSIGN(const env::Observation seen, replay.session->observe(name));
  return std::string(seen.text());
}

// Claims, answers and times each of `results`, on all lanes.
void Evaluator::answerAll(std::span<Evaluation> results, Effort effort, const Answer& answer) {
  std::atomic<std::size_t> next = 0;
  team_.run([&](unsigned member) {
    for (std::size_t i = next++; i < results.size(); i = next++) {
      if (!claim(effort, results[i])) continue;
      Status answered = answer(lanes_[member], i);
      results[i].seconds = elapsed();
      if (answered && results[i].verdict == Verdict::kSkipped) continue;  // it came to be too late
      if (answered) {
        const std::lock_guard lock(answer_mutex_);
        if (on_answer_) on_answer_(results[i]);
        continue;
      }
      results[i].verdict = Verdict::kSkipped;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::move(answered).error();
    }
  });
}

Evaluation Evaluator::evaluateOne(Sequence sequence, Effort effort) {
  std::vector<Sequence> batch;
  batch.push_back(std::move(sequence));
  return std::move(evaluate(std::move(batch), effort).front());
}

// Takes the next evaluation number, unless there are to be no more.
bool Evaluator::claim(Effort effort, Evaluation& result) {
  const std::lock_guard lock(mutex_);
  if (effort != Effort::kFresh && doneLocked()) return false;
  result.number = ++statistics_.evaluations;
  return true;
}

Status Evaluator::answer(Lane& lane, Effort effort, Evaluation& result) {
  const bool fresh = effort == Effort::kFresh;
  const std::vector<Hash128> prefixes = prefixHashes(result.actions);
  if (!fresh) {
    const std::lock_guard lock(mutex_);
    if (memory_.recallSequence(prefixes, effort, result)) {
      ++statistics_.sequence_hits;
      ++hits_in_a_row_;
      return {};
    }
  }

  const auto known = [&](std::span<const Hash128> keys) {
    const std::lock_guard lock(mutex_);
    return memory_.recallSequence(keys, effort, result);
  };
  const auto late = [this] {
    const std::lock_guard lock(mutex_);
    return outOfTime(measuring_.mean());
  };
  const double begin_s = elapsed();
  ORDO_TRY_ASSIGN(Replay replay, lane.replay(result.actions, prefixes, fresh, known, late));
  if (replay.late) {
    const std::lock_guard lock(mutex_);
    statistics_.passes += replay.passes;
    return {};
  }
  ORDO_TRY(conclude(replay, prefixes, effort, result));
  const std::lock_guard lock(mutex_);
  answering_.add(elapsed() - begin_s);
  return {};
}

// Whether the program that a rollout ended with, result.state, is known, so that nobody need go there.
bool Evaluator::recall(std::span<const Hash128> prefixes, std::size_t passes, Effort effort,
                       Evaluation& result) {
  const std::lock_guard lock(mutex_);
  if (!memory_.recallState(effort, result)) return false;
  hits_in_a_row_ = 0;
  statistics_.passes += passes;
  ++statistics_.duplicate_hits;
  memory_.remember(prefixes.back(), result);
  return true;
}

// From where a replay of result.actions ended to what they are worth.
Status Evaluator::conclude(Replay& replay, std::span<const Hash128> prefixes, Effort effort,
                           Evaluation& result) {
  const bool fresh = effort == Effort::kFresh;
  std::size_t fatal_length = 0;
  if (replay.ok() && !replay.known) {
    ORDO_TRY_ASSIGN(result.state, replay.session->stateHash());
  } else if (!replay.ok()) {
    setFailed(result, replay.status, std::move(replay.detail));
    fatal_length = std::min(replay.reached + 1, result.actions.size());
  }

  {
    const std::lock_guard lock(mutex_);
    hits_in_a_row_ = 0;
    statistics_.passes += replay.passes;
    statistics_.prefix_hits += replay.from_snapshot;
    statistics_.snapshots += replay.took_snapshot;
    if (replay.known || (replay.ok() && !fresh && memory_.recallState(effort, result))) {
      ++statistics_.duplicate_hits;
      memory_.remember(prefixes.back(), result);
      memory_.remember(replay.keys.back(), result);
      return {};
    }
  }

  if (replay.ok()) {
    const double begin_s = elapsed();
    ORDO_TRY(measure(*replay.session, effort, result));
    {
      const std::lock_guard lock(mutex_);
      measuring_.add(elapsed() - begin_s);
    }
    if (isInvalid(result.status)) fatal_length = result.actions.size();
  }

  const std::lock_guard lock(mutex_);
  if (fresh) statistics_.divergences += memory_.contradicts(prefixes.back(), result);
  memory_.remember(prefixes.back(), result);
  memory_.remember(replay.keys.back(), result);
  if (fatal_length > 0) {
    memory_.rememberFatal(prefixes[fatal_length], result);
    memory_.rememberFatal(replay.keys[fatal_length], result);
  }
  if (result.verdict == Verdict::kFailed) ++statistics_.failures[static_cast<std::size_t>(result.status)];
  if (result.verdict == Verdict::kScreened) ++statistics_.screened;
  if (result.verdict == Verdict::kBeyond) ++statistics_.beyond;
  if (result.measured()) {
    ++statistics_.measurements;
    if (!statistics_.best || result.value < *statistics_.best) {
      statistics_.best = result.value;
      best_screen_ = result.screen;
    }
  }
  return {};
}

Status Evaluator::measure(env::Session& session, Effort effort, Evaluation& result) {
  if (!objective_.screen.empty()) {
    ORDO_TRY_ASSIGN(env::Measurement screen, session.measure(objective_.screen));
    if (!screen.ok()) {
      setFailed(result, screen.status, std::move(screen.detail));
      return {};
    }
    result.screen = screen.value;
    if (effort == Effort::kScreened && screenedOut(screen.value)) {
      result.verdict = Verdict::kScreened;
      return {};
    }
  }
  // The screening metric's measure() has looked whether the program is valid.
  const bool estimate = effort == Effort::kScreened && !objective_.screen.empty();
  ORDO_TRY(measureLimits(session, estimate, result));
  if (result.verdict != Verdict::kSkipped) return {};
  ORDO_TRY_ASSIGN(env::Measurement measurement, preference_.measure(session, estimate));
  if (!measurement.ok()) {
    setFailed(result, measurement.status, std::move(measurement.detail));
    return {};
  }
  result.verdict = Verdict::kMeasured;
  result.value = measurement.value;
  return {};
}

// Leaves the verdict alone if the program is within all limits.
Status Evaluator::measureLimits(env::Session& session, bool estimate, Evaluation& result) {
  result.amounts.clear();
  for (const Limit& limit : objective_.limits) {
    ORDO_TRY_ASSIGN(env::Measurement amount,
                    estimate ? session.estimate(limit.metric) : session.measure(limit.metric));
    if (!amount.ok()) {
      setFailed(result, amount.status, std::move(amount.detail));
      return {};
    }
    if (amount.value > limit.most) {
      result.verdict = Verdict::kBeyond;
      result.detail = fmt::format("{} is {}, beyond {}", limit.metric, amount.value, limit.most);
      return {};
    }
    result.amounts.push_back(amount.value);
  }
  return {};
}

bool Evaluator::screenedOut(double screen) const {
  const std::lock_guard lock(mutex_);
  return statistics_.best && screen > (1 + objective_.screen_margin) * best_screen_;
}

Evaluator::OnAnswer Evaluator::listen(OnAnswer on_answer) {
  return std::exchange(on_answer_, std::move(on_answer));
}

void Evaluator::limit(const Budget& budget) {
  const std::lock_guard lock(mutex_);
  budget_ = budget;
  hits_in_a_row_ = 0;
}

bool Evaluator::done() const {
  const std::lock_guard lock(mutex_);
  return doneLocked();
}

// REQUIRES: mutex_ is held.
bool Evaluator::outOfTime(double needed_s) const {
  return stopped() || elapsed() + needed_s >= budget_.seconds;
}

double Evaluator::answerSeconds() const {
  const std::lock_guard lock(mutex_);
  return answering_.mean();
}

bool Evaluator::doneLocked() const {
  return outOfTime(answering_.mean()) || error_ || hits_in_a_row_ >= kExhausted ||
         static_cast<double>(statistics_.evaluations) >= budget_.evaluations ||
         static_cast<double>(statistics_.passes) >= budget_.passes;
}

double Evaluator::progress() const {
  const std::lock_guard lock(mutex_);
  const double used = std::max({elapsed() / budget_.seconds,
                                static_cast<double>(statistics_.evaluations) / budget_.evaluations,
                                static_cast<double>(statistics_.passes) / budget_.passes});
  return std::min(used, 1.0);
}

double Evaluator::evaluationsLeft() const {
  const std::lock_guard lock(mutex_);
  return std::max(budget_.evaluations - static_cast<double>(statistics_.evaluations), 0.0);
}

Status Evaluator::status() const {
  const std::lock_guard lock(mutex_);
  if (error_) return fail(Error(*error_));
  return {};
}

Statistics& Statistics::operator+=(const Statistics& other) {
  seconds += other.seconds;
  evaluations += other.evaluations;
  passes += other.passes;
  measurements += other.measurements;
  screened += other.screened;
  beyond += other.beyond;
  sequence_hits += other.sequence_hits;
  duplicate_hits += other.duplicate_hits;
  prefix_hits += other.prefix_hits;
  snapshots += other.snapshots;
  divergences += other.divergences;
  for (std::size_t i = 0; i < kStatuses; ++i) failures[i] += other.failures[i];
  if (other.best) best = std::min(best.value_or(*other.best), *other.best);
  return *this;
}

Statistics Evaluator::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics copy = statistics_;
  copy.seconds = elapsed();
  return copy;
}

}  // namespace ordo::search
