#include "env/tenancy.h"

namespace ordo::env {

Error Answer::death(std::string_view doing) const {
  return {ErrorCode::kUnavailable, fmt::format("a worker died while {}: {}", doing, call.detail)};
}

StepStatus statusOf(sandbox::CallResult::Ending ending) {
  switch (ending) {
    case sandbox::CallResult::Ending::kReplied:
      return StepStatus::kOk;
    case sandbox::CallResult::Ending::kTimedOut:
      return StepStatus::kTimedOut;
    case sandbox::CallResult::Ending::kOutOfMemory:
      return StepStatus::kOutOfMemory;
    case sandbox::CallResult::Ending::kDied:
    case sandbox::CallResult::Ending::kKilled:
    case sandbox::CallResult::Ending::kLost:
      break;
  }
  return StepStatus::kCrashed;
}

Result<Tenancy::Turn> Tenancy::turn() {
  if (worker_ != nullptr) {
    Turn turn(worker_->mutex);
    if (!worker_->retiring && worker_->worker->alive()) return turn;
  }
  const bool rebuilt = worker_ != nullptr || !history_.empty();
  for (int tries = 1;; ++tries) {
    leave();
    ORDO_TRY_ASSIGN(Turn turn, enter());
    Result<Answer> built = build();
    if (built && !built->died()) {
      if (rebuilt) pool_->countRebuilt();
      return turn;
    }
    turn.unlock();
    if (built && built->worthAnother() && tries < kTries) continue;
    leave();
    if (!built) return fail(std::move(built).error());
    return fail(built->death(history_.empty() ? fmt::format("reading {}", spec_->name)
                                              : "replaying actions that worked before"));
  }
}

// Takes a place where the forks of the session live, or in a worker of its own, and keeps the turn:
// given away, a sibling could kill the worker before the session is in it.
Result<Tenancy::Turn> Tenancy::enter() {
  const std::lock_guard home(home_->mutex);
  const auto join = [this](const std::shared_ptr<SharedWorker>& worker) {
    Turn turn(worker->mutex);
    if (worker->retiring || !worker->worker->alive()) return Turn();
    number_ = worker->next_session++;
    ++worker->sessions;
    worker_ = worker;
    return turn;
  };
  if (home_->worker != nullptr) {
    if (Turn turn = join(home_->worker)) return turn;
  }
  for (int tries = 0; tries < kTries; ++tries) {
    ORDO_TRY_ASSIGN(home_->worker, pool_->acquire());
    if (Turn turn = join(home_->worker)) return turn;
  }
  return fail(ErrorCode::kUnavailable, "a worker died before it was used");
}

void Tenancy::leave() {
  if (posted_) {
    // A step was begun and nobody waited for it: the reply must be out of the way first.
    static_cast<void>(finish());
  }
  if (worker_ == nullptr) return;
  const std::lock_guard home(home_->mutex);
  bool last = false;
  {
    const std::lock_guard lock(worker_->mutex);
    if (!worker_->retiring && worker_->worker->alive()) static_cast<void>(send(Op::kClose, [](Writer&) {}));
    last = --worker_->sessions == 0;
  }
  if (last && home_->worker == worker_) home_->worker = nullptr;
  if (last) pool_->release(std::move(worker_));
  worker_ = nullptr;
}

// Opens the session in its worker and replays the history. The answer is that of the last request, or how the
// worker died. REQUIRES: our turn.
Result<Answer> Tenancy::build() {
  ORDO_TRY_ASSIGN(Answer opened, send(Op::kOpen, [&](Writer& out) { put(out, *spec_); }));
  if (opened.died()) return opened;
  ORDO_TRY(getStatus(opened.reader));
  if (history_.empty()) return opened;
  ORDO_TRY_ASSIGN(Answer replayed, send(Op::kApply, [&](Writer& out) {
                    out.putArray(std::span<const ActionIndex>(history_));
                  }));
  if (replayed.died()) return replayed;
  ORDO_TRY(getStatus(replayed.reader));
  const StepOutcome outcome = getOutcome(replayed.reader);
  if (!replayed.reader.ok()) return nonsense();
  if (!outcome.ok() || outcome.applied != history_.size()) {
    return fail(ErrorCode::kInternal, "{}: of {} actions that worked before only {} could be replayed: {}",
                spec_->name, history_.size(), outcome.applied, outcome.detail);
  }
  return replayed;
}

void Tenancy::settle(Tenancy& copy, std::uint64_t number) {
  copy.worker_ = worker_;
  copy.number_ = number;
  ++worker_->sessions;
}

tl::unexpected<Error> Tenancy::nonsense() {
  worker_->retiring = true;
  return fail(ErrorCode::kInternal, "a worker sent a reply that makes no sense");
}

}  // namespace ordo::env
