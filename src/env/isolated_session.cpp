#include "env/isolated_session.h"

#include <algorithm>
#include <utility>

#include "env/wire.h"
#include "env/worker_pool.h"

namespace ordo::env {
namespace {

using sandbox::CallResult;

StepStatus statusOf(CallResult::Ending ending) {
  switch (ending) {
    case CallResult::Ending::kReplied: return StepStatus::kOk;
    case CallResult::Ending::kDied: return StepStatus::kCrashed;
    case CallResult::Ending::kTimedOut: return StepStatus::kTimedOut;
    case CallResult::Ending::kOutOfMemory: return StepStatus::kOutOfMemory;
  }
  return StepStatus::kCrashed;
}

// The answer to one request: the worker's reply, or how it died instead.
struct Answer {
  CallResult call;
  Reader reader{call.reply};

  explicit Answer(CallResult result) : call(std::move(result)) {}
  bool died() const { return !call.replied(); }
  Error death(std::string_view doing) const {
    return {ErrorCode::kUnavailable, fmt::format("a worker died while {}: {}", doing, call.detail)};
  }
};

class IsolatedSession final : public Session {
 public:
  IsolatedSession(std::shared_ptr<WorkerPool> pool, std::shared_ptr<const SessionSpec> spec)
      : pool_(std::move(pool)), spec_(std::move(spec)) {}
  ~IsolatedSession() override { detach(); }

  const SessionSpec& spec() const override { return *spec_; }
  std::span<const ActionIndex> history() const override { return history_; }

  // Opens the session in a worker of its own and replays the history, if it is not in one already.
  Status attach() {
    if (worker_ != nullptr && !worker_->retiring && worker_->worker->alive()) return {};
    const bool rebuilt = worker_ != nullptr;
    detach();
    ORDO_TRY_ASSIGN(std::shared_ptr<SharedWorker> worker, pool_->acquire());
    enter(std::move(worker));
    {
      const std::lock_guard lock(worker_->mutex);
      Answer opened = ask(Op::kOpen, [&](Writer& out) { put(out, *spec_); });
      if (opened.died()) return fail(opened.death(fmt::format("reading {}", spec_->name)));
      ORDO_TRY(getStatus(opened.reader));
      if (!history_.empty()) {
        Answer replayed = ask(Op::kApply, [&](Writer& out) { out.putArray(std::span<const ActionIndex>(history_)); });
        if (replayed.died()) return fail(replayed.death("replaying actions that worked before"));
        ORDO_TRY(getStatus(replayed.reader));
      }
    }
    if (rebuilt) pool_->countRebuilt();
    return {};
  }

  Status reset() override {
    history_.clear();
    if (worker_ == nullptr || worker_->retiring) return attach();
    const std::lock_guard lock(worker_->mutex);
    Answer answer = ask(Op::kReset);
    if (answer.died()) return fail(answer.death("resetting"));
    return getStatus(answer.reader);
  }

  Result<StepOutcome> apply(std::span<const ActionIndex> actions) override {
    for (const ActionIndex action : actions) {
      ORDO_CHECK(action < spec_->actions.size(), "action {} of {}", action, spec_->actions.size());
    }
    StepOutcome total;
    while (!actions.empty()) {
      // As many as can be sent before one that is known to kill in some state; that one is looked
      // up in its state first.
      const auto suspect = std::find_if(actions.begin(), actions.end(), [&](ActionIndex action) {
        return pool_->ledger().mentions(spec_->actions[action].text);
      });
      std::size_t count = static_cast<std::size_t>(suspect - actions.begin());
      if (count == 0) {
        ORDO_TRY_ASSIGN(const bool known, knownToKill(actions.front()));
        if (known) {
          pool_->countMasked();
          total.status = StepStatus::kRejected;
          total.detail = fmt::format("{} is known to kill a worker in this state", spec_->actions[actions.front()].name);
          return total;
        }
        count = 1;
      }
      ORDO_TRY_ASSIGN(StepOutcome outcome, applyUnchecked(actions.first(count)));
      total.applied += outcome.applied;
      total.changed = total.changed || outcome.changed;
      total.status = outcome.status;
      total.detail = std::move(outcome.detail);
      if (!total.ok()) return total;
      actions = actions.subspan(count);
    }
    return total;
  }

  Result<std::vector<std::uint8_t>> legalActions() override {
    ORDO_TRY(attach());
    std::vector<std::uint8_t> legal;
    {
      const std::lock_guard lock(worker_->mutex);
      Answer answer = ask(Op::kLegal);
      if (answer.died()) return fail(answer.death("listing legal actions"));
      ORDO_TRY(getStatus(answer.reader));
      legal = answer.reader.getArray<std::uint8_t>();
    }
    legal.resize(spec_->actions.size(), 0);
    if (pool_->ledger().empty()) return legal;
    for (ActionIndex action = 0; action < legal.size(); ++action) {
      if (legal[action] == 0 || !pool_->ledger().mentions(spec_->actions[action].text)) continue;
      ORDO_TRY_ASSIGN(const bool known, knownToKill(action));
      if (known) legal[action] = 0;
    }
    return legal;
  }

  Result<Hash128> stateHash() override {
    ORDO_TRY(attach());
    const std::lock_guard lock(worker_->mutex);
    Answer answer = ask(Op::kHash);
    if (answer.died()) return fail(answer.death("hashing a state"));
    ORDO_TRY(getStatus(answer.reader));
    return answer.reader.get<Hash128>();
  }

  Result<Measurement> verify() override { return measurement(Op::kVerify, "verify"); }

  Result<Measurement> measure(std::string_view metric) override { return measurement(Op::kMeasure, metric); }

  Result<Observation> observe(std::string_view observation) override {
    ORDO_TRY(attach());
    const std::lock_guard lock(worker_->mutex);
    Answer answer = ask(Op::kObserve, [&](Writer& out) { out.putBytes(observation); });
    if (answer.died()) return fail(answer.death(fmt::format("observing {}", observation)));
    ORDO_TRY(getStatus(answer.reader));
    Observation result;
    result.dtype = answer.reader.get<DType>();
    result.shape = answer.reader.getArray<std::uint32_t>();
    result.bytes = answer.reader.getArrayView<std::byte>();
    if (worker_->sessions > 1) {
      // Others share this worker's memory and may overwrite the reply before it is read.
      observed_.assign(result.bytes.begin(), result.bytes.end());
      result.bytes = observed_;
    }
    return result;
  }

  Result<std::unique_ptr<Session>> fork() override {
    ORDO_TRY(attach());
    auto copy = std::make_unique<IsolatedSession>(pool_, spec_);
    copy->history_ = history_;
    const std::lock_guard lock(worker_->mutex);
    const std::uint64_t number = worker_->next_session++;
    Answer answer = ask(Op::kFork, [&](Writer& out) { out.put(number); });
    if (answer.died()) return fail(answer.death("forking"));
    ORDO_TRY(getStatus(answer.reader));
    copy->worker_ = worker_;
    copy->number_ = number;
    ++worker_->sessions;
    return copy;
  }

 private:
  void enter(std::shared_ptr<SharedWorker> worker) {
    const std::lock_guard lock(worker->mutex);
    number_ = worker->next_session++;
    ++worker->sessions;
    worker_ = std::move(worker);
  }

  void detach() {
    if (worker_ == nullptr) return;
    bool last = false;
    {
      const std::lock_guard lock(worker_->mutex);
      if (!worker_->retiring) ask(Op::kClose);
      last = --worker_->sessions == 0;
    }
    if (last) pool_->release(std::move(worker_));
    worker_ = nullptr;
  }

  // REQUIRES: worker_->mutex is held.
  template <typename Arguments>
  Answer ask(Op op, const Arguments& arguments) {
    Writer out(worker_->worker->request());
    out.put(op);
    out.put(number_);
    arguments(out);
    return Answer(pool_->call(*worker_, out));
  }
  Answer ask(Op op) {
    return ask(op, [](Writer&) {});
  }

  Result<bool> knownToKill(ActionIndex action) {
    ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
    return pool_->ledger().contains(state, spec_->actions[action].text);
  }

  Result<StepOutcome> applyUnchecked(std::span<const ActionIndex> actions) {
    ORDO_TRY(attach());
    CallResult death;
    {
      const std::lock_guard lock(worker_->mutex);
      Answer answer = ask(Op::kApply, [&](Writer& out) { out.putArray(actions); });
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        StepOutcome outcome = getOutcome(answer.reader);
        if (!answer.reader.ok() || outcome.applied > actions.size()) {
          return fail(ErrorCode::kInternal, "a worker sent a reply that makes no sense");
        }
        history_.insert(history_.end(), actions.begin(), actions.begin() + outcome.applied);
        return outcome;
      }
      death = answer.call;
    }
    // It died in actions[progress]: go back to the state before that, elsewhere, and note the pair.
    const std::uint32_t applied = std::min<std::uint32_t>(death.progress, static_cast<std::uint32_t>(actions.size()) - 1);
    history_.insert(history_.end(), actions.begin(), actions.begin() + applied);
    const Action& culprit = spec_->actions[actions[applied]];
    StepOutcome outcome{statusOf(death.ending), applied, applied > 0, fmt::format("{}: {}", culprit.name, death.detail)};
    note(culprit.text, outcome.status, death.detail);
    return outcome;
  }

  // Enters a death in the ledger under the state it happened in, which is rebuilt elsewhere. If that
  // fails too, the outcome still stands and the next call says what is wrong.
  void note(const std::string& culprit, StepStatus status, const std::string& detail) {
    if (const Result<Hash128> state = stateHash()) {
      pool_->ledger().record({*state, culprit, status, detail, spec_->name, 1});
    }
  }

  Result<Measurement> measurement(Op op, std::string_view metric) {
    // A state whose measurement killed a worker would do so again.
    const std::string what = fmt::format("measure:{}", metric);
    if (pool_->ledger().mentions(what)) {
      ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
      if (pool_->ledger().contains(state, what)) {
        pool_->countMasked();
        return Measurement{StepStatus::kRejected, 0, fmt::format("measuring {} is known to kill a worker in this state", metric)};
      }
    }
    ORDO_TRY(attach());
    CallResult death;
    {
      const std::lock_guard lock(worker_->mutex);
      Answer answer = ask(op, [&](Writer& out) { out.putBytes(metric); });
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        return getMeasurement(answer.reader);
      }
      death = answer.call;
    }
    const StepStatus status = statusOf(death.ending);
    note(what, status, death.detail);
    return Measurement{status, 0, death.detail};
  }

  std::shared_ptr<WorkerPool> pool_;
  std::shared_ptr<const SessionSpec> spec_;
  std::vector<ActionIndex> history_;
  std::shared_ptr<SharedWorker> worker_;
  std::uint64_t number_ = 0;
  std::vector<std::byte> observed_;
};

}  // namespace

IsolatedBackend::IsolatedBackend(std::shared_ptr<sandbox::Zygote> zygote, sandbox::Limits limits,
                                 std::shared_ptr<CrashLedger> ledger)
    : pool_(std::make_shared<WorkerPool>(std::move(zygote), limits, std::move(ledger))) {}

IsolatedBackend::~IsolatedBackend() = default;

Result<BackendInfo> IsolatedBackend::describe() {
  ORDO_TRY_ASSIGN(std::shared_ptr<SharedWorker> worker, pool_->acquire());
  BackendInfo info;
  {
    const std::lock_guard lock(worker->mutex);
    Writer out(worker->worker->request());
    out.put(Op::kDescribe);
    Answer answer(pool_->call(*worker, out));
    if (answer.died()) return fail(answer.death("starting"));
    ORDO_TRY(getStatus(answer.reader));
    info = getInfo(answer.reader);
  }
  pool_->release(std::move(worker));
  return info;
}

Result<std::unique_ptr<Session>> IsolatedBackend::open(SessionSpec spec) {
  auto session = std::make_unique<IsolatedSession>(pool_, std::make_shared<const SessionSpec>(std::move(spec)));
  ORDO_TRY(session->attach());
  return session;
}

IsolationStats IsolatedBackend::stats() const { return pool_->stats(); }

CrashLedger& IsolatedBackend::ledger() const { return pool_->ledger(); }

}  // namespace ordo::env
