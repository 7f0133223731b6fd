#include "env/isolated_session.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "env/wire.h"
#include "env/worker_pool.h"

namespace ordo::env {
namespace {

using sandbox::CallResult;

// Of a death that is the request's own doing.
StepStatus statusOf(CallResult::Ending ending) {
  switch (ending) {
    case CallResult::Ending::kReplied:
      return StepStatus::kOk;
    case CallResult::Ending::kTimedOut:
      return StepStatus::kTimedOut;
    case CallResult::Ending::kOutOfMemory:
      return StepStatus::kOutOfMemory;
    case CallResult::Ending::kDied:
    case CallResult::Ending::kLost:
      break;
  }
  return StepStatus::kCrashed;
}

// The answer to one request: the worker's reply, or how it died instead.
struct Answer {
  CallResult call;
  Reader reader{call.reply};

  explicit Answer(CallResult result) : call(std::move(result)) {}
  bool died() const { return !call.replied(); }
  bool lost() const { return call.ending == CallResult::Ending::kLost; }
  Error death(std::string_view doing) const {
    return {ErrorCode::kUnavailable, fmt::format("a worker died while {}: {}", doing, call.detail)};
  }
};

// Where a session and its forks live. They move together: one worker that dies is replaced by one,
// however many they are.
struct Home {
  std::mutex mutex;                      // taken before that of a worker, never after
  std::shared_ptr<SharedWorker> worker;  // where the next of them goes; null if none is open
};

class IsolatedSession final : public Session {
 public:
  IsolatedSession(std::shared_ptr<WorkerPool> pool, std::shared_ptr<const SessionSpec> spec,
                  std::shared_ptr<Home> home)
      : pool_(std::move(pool)), spec_(std::move(spec)), home_(std::move(home)) {}
  ~IsolatedSession() override { leave(); }

  // Makes sure that the session is in a worker.
  Status attach() {
    ORDO_TRY(turn());
    return {};
  }

  const SessionSpec& spec() const override { return *spec_; }
  std::span<const ActionIndex> history() const override { return history_; }

  Status reset() override {
    history_.clear();
    substitute_hash_.reset();
    {
      ORDO_TRY_ASSIGN(Exchange exchange, ask(Op::kReset));
      if (!exchange.answer.died()) return getStatus(exchange.answer.reader);
    }
    return attach();  // the old state could not even be torn down; opening anew is a reset too
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
        ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
        const Action& action = spec_->actions[actions.front()];
        if (pool_->ledger().contains(state, action.text)) {
          pool_->countMasked();
          total.status = StepStatus::kRejected;
          total.detail = fmt::format("{} is known to kill a worker in this state", action.name);
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
    std::vector<std::uint8_t> legal;
    {
      ORDO_TRY_ASSIGN(Exchange exchange, ask(Op::kLegal));
      Answer& answer = exchange.answer;
      if (answer.died()) return fail(answer.death("listing legal actions"));
      ORDO_TRY(getStatus(answer.reader));
      legal = answer.reader.getArray<std::uint8_t>();
      if (!answer.reader.ok() || legal.size() != spec_->actions.size()) return nonsense();
    }
    std::optional<Hash128> state;
    for (ActionIndex action = 0; action < legal.size(); ++action) {
      const std::string& text = spec_->actions[action].text;
      if (legal[action] == 0 || !pool_->ledger().mentions(text)) continue;
      if (!state) {
        ORDO_TRY_ASSIGN(state, stateHash());
      }
      if (pool_->ledger().contains(*state, text)) legal[action] = 0;
    }
    return legal;
  }

  Result<Hash128> stateHash() override {
    if (substitute_hash_) return *substitute_hash_;
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Exchange exchange, ask(Op::kHash));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        const auto hash = answer.reader.get<Hash128>();
        if (!answer.reader.ok()) return nonsense();
        return hash;
      }
      if (answer.lost()) return fail(answer.death("hashing a state"));
      death = std::move(answer.call);
    }
    // The program is so broken that it cannot even be written down. What it was made from names it
    // just as well, only that another way to it has another name.
    std::string origin = spec_->program;
    for (const ActionIndex action : history_) (origin += '\0') += spec_->actions[action].text;
    substitute_hash_ = hashBytes(origin);
    pool_->ledger().record(
        {*substitute_hash_, "session:hash", statusOf(death.ending), death.detail, spec_->name, 1});
    return *substitute_hash_;
  }

  Result<Measurement> verify() override { return measurement(Op::kVerify, "verify"); }

  Result<Measurement> measure(std::string_view metric) override { return measurement(Op::kMeasure, metric); }

  Result<Observation> observe(std::string_view observation) override {
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Exchange exchange, ask(Op::kObserve, [&](Writer& out) { out.putBytes(observation); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        Observation result;
        result.dtype = answer.reader.get<DType>();
        result.shape = answer.reader.getArray<std::uint32_t>();
        result.bytes = answer.reader.getArrayView<std::byte>();
        std::uint64_t elements = 1;
        for (const std::uint32_t extent : result.shape) elements *= extent;
        if (!answer.reader.ok() || elements * elementBytes(result.dtype) != result.bytes.size())
          return nonsense();
        if (worker_->sessions > 1) {
          // Others share this worker's memory and may overwrite the reply before it is read.
          observed_.assign(result.bytes.begin(), result.bytes.end());
          result.bytes = observed_;
        }
        return result;
      }
      if (answer.lost()) return fail(answer.death(fmt::format("observing {}", observation)));
      death = std::move(answer.call);
    }
    note(fmt::format("observe:{}", observation), death);
    return fail(Answer(std::move(death)).death(fmt::format("observing {}", observation)));
  }

  Result<std::unique_ptr<Session>> fork() override {
    auto copy = std::make_unique<IsolatedSession>(pool_, spec_, home_);
    copy->history_ = history_;
    copy->substitute_hash_ = substitute_hash_;
    CallResult death;
    {
      std::uint64_t number = 0;
      ORDO_TRY_ASSIGN(Exchange exchange,
                      ask(Op::kFork, [&](Writer& out) { out.put(number = worker_->next_session++); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        copy->worker_ = worker_;
        copy->number_ = number;
        ++worker_->sessions;
        return copy;
      }
      if (answer.lost()) return fail(answer.death("forking"));
      death = std::move(answer.call);
    }
    note("session:fork", death);
    return copy;  // in no worker yet: it is made by replay when it is used
  }

 private:
  // The session's worker, locked for one exchange.
  using Turn = std::unique_lock<std::mutex>;

  // A request that was answered. The answer is in shared memory, which is ours while this lives.
  struct Exchange {
    Turn turn;
    Answer answer;
  };

  // Waits for the session's turn in its worker, and puts it into one first if it is in none or in
  // one that takes no more work.
  Result<Turn> turn() {
    if (worker_ != nullptr) {
      Turn turn(worker_->mutex);
      if (!worker_->retiring && worker_->worker->alive()) return turn;
    }
    const bool rebuilt = worker_ != nullptr || !history_.empty();
    leave();
    ORDO_TRY_ASSIGN(Turn turn, enter());
    if (Status built = build(); !built) {
      turn.unlock();
      leave();
      return fail(std::move(built).error());
    }
    if (rebuilt) pool_->countRebuilt();
    return turn;
  }

  // Takes a place where the forks of the session live, or in a worker of its own, and keeps the turn:
  // given away, a sibling could kill the worker before the session is in it.
  Result<Turn> enter() {
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
    ORDO_TRY_ASSIGN(home_->worker, pool_->acquire());
    if (Turn turn = join(home_->worker)) return turn;
    return fail(ErrorCode::kUnavailable, "a worker died before it was used");
  }

  void leave() {
    if (worker_ == nullptr) return;
    const std::lock_guard home(home_->mutex);
    bool last = false;
    {
      const std::lock_guard lock(worker_->mutex);
      if (!worker_->retiring) static_cast<void>(send(Op::kClose));
      last = --worker_->sessions == 0;
    }
    if (last && home_->worker == worker_) home_->worker = nullptr;
    if (last) pool_->release(std::move(worker_));
    worker_ = nullptr;
  }

  // Opens the session in its worker and replays the history. REQUIRES: worker_->mutex is held.
  Status build() {
    ORDO_TRY_ASSIGN(Answer opened, send(Op::kOpen, [&](Writer& out) { put(out, *spec_); }));
    if (opened.died()) return fail(opened.death(fmt::format("reading {}", spec_->name)));
    ORDO_TRY(getStatus(opened.reader));
    if (history_.empty()) return {};
    ORDO_TRY_ASSIGN(Answer replayed, send(Op::kApply, [&](Writer& out) {
                      out.putArray(std::span<const ActionIndex>(history_));
                    }));
    if (replayed.died()) return fail(replayed.death("replaying actions that worked before"));
    ORDO_TRY(getStatus(replayed.reader));
    const StepOutcome outcome = getOutcome(replayed.reader);
    if (!replayed.reader.ok()) return nonsense();
    if (!outcome.ok() || outcome.applied != history_.size()) {
      return fail(ErrorCode::kInternal, "{}: of {} actions that worked before only {} could be replayed: {}",
                  spec_->name, history_.size(), outcome.applied, outcome.detail);
    }
    return {};
  }

  // Writes a request and waits for its answer. REQUIRES: worker_->mutex is held.
  template <typename Arguments>
  Result<Answer> send(Op op, const Arguments& arguments) {
    Writer out(worker_->worker->request());
    out.put(op);
    out.put(number_);
    arguments(out);
    ORDO_TRY_ASSIGN(CallResult result, pool_->call(*worker_, out));
    return Answer(std::move(result));
  }
  Result<Answer> send(Op op) {
    return send(op, [](Writer&) {});
  }

  // The same from outside, once more if the worker was gone before it saw the request.
  template <typename Arguments>
  Result<Exchange> ask(Op op, const Arguments& arguments) {
    for (bool again = true;; again = false) {
      ORDO_TRY_ASSIGN(Turn mine, turn());
      ORDO_TRY_ASSIGN(Answer answer, send(op, arguments));
      if (!answer.lost() || !again) return Exchange{std::move(mine), std::move(answer)};
    }
  }
  Result<Exchange> ask(Op op) {
    return ask(op, [](Writer&) {});
  }

  // A worker that says such things has had its memory overwritten, so nothing more is asked of it.
  // REQUIRES: worker_->mutex is held.
  tl::unexpected<Error> nonsense() {
    worker_->retiring = true;
    return fail(ErrorCode::kInternal, "a worker sent a reply that makes no sense");
  }

  void advance(std::span<const ActionIndex> applied) {
    history_.insert(history_.end(), applied.begin(), applied.end());
    if (!applied.empty()) substitute_hash_.reset();
  }

  Result<StepOutcome> applyUnchecked(std::span<const ActionIndex> actions) {
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Exchange exchange, ask(Op::kApply, [&](Writer& out) { out.putArray(actions); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        StepOutcome outcome = getOutcome(answer.reader);
        if (!answer.reader.ok() || outcome.applied > actions.size()) return nonsense();
        advance(actions.first(outcome.applied));
        return outcome;
      }
      if (answer.lost()) return fail(answer.death("applying actions"));
      death = std::move(answer.call);
    }
    // It died in actions[progress]: go back to the state before that, elsewhere, and note the pair.
    const std::uint32_t applied =
        std::min<std::uint32_t>(death.progress, static_cast<std::uint32_t>(actions.size()) - 1);
    advance(actions.first(applied));
    const Action& culprit = spec_->actions[actions[applied]];
    note(culprit.text, death);
    return StepOutcome{statusOf(death.ending), applied, applied > 0,
                       fmt::format("{}: {}", culprit.name, death.detail)};
  }

  // Enters a death in the ledger under the state it happened in, which is rebuilt elsewhere. If that
  // fails too, the outcome still stands and the next call says what is wrong.
  void note(const std::string& culprit, const CallResult& death) {
    if (const Result<Hash128> state = stateHash()) {
      pool_->ledger().record({*state, culprit, statusOf(death.ending), death.detail, spec_->name, 1});
    }
  }

  Result<Measurement> measurement(Op op, std::string_view metric) {
    // A state whose measurement killed a worker would do so again.
    const std::string what = fmt::format("measure:{}", metric);
    if (pool_->ledger().mentions(what)) {
      ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
      if (pool_->ledger().contains(state, what)) {
        pool_->countMasked();
        return Measurement{StepStatus::kRejected, 0,
                           fmt::format("measuring {} is known to kill a worker in this state", metric)};
      }
    }
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Exchange exchange, ask(op, [&](Writer& out) { out.putBytes(metric); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        Measurement result = getMeasurement(answer.reader);
        if (!answer.reader.ok()) return nonsense();
        return result;
      }
      if (answer.lost()) return fail(answer.death(fmt::format("measuring {}", metric)));
      death = std::move(answer.call);
    }
    note(what, death);
    return Measurement{statusOf(death.ending), 0, death.detail};
  }

  std::shared_ptr<WorkerPool> pool_;
  std::shared_ptr<const SessionSpec> spec_;
  std::shared_ptr<Home> home_;
  std::vector<ActionIndex> history_;
  std::shared_ptr<SharedWorker> worker_;
  std::uint64_t number_ = 0;
  std::optional<Hash128> substitute_hash_;  // of a state that cannot be hashed
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
    ORDO_TRY_ASSIGN(CallResult result, pool_->call(*worker, out));
    Answer answer(std::move(result));
    if (answer.died()) return fail(answer.death("starting"));
    ORDO_TRY(getStatus(answer.reader));
    info = getInfo(answer.reader);
    if (!answer.reader.ok()) return fail(ErrorCode::kInternal, "a worker sent a reply that makes no sense");
  }
  pool_->release(std::move(worker));
  return info;
}

Result<std::unique_ptr<Session>> IsolatedBackend::open(SessionSpec spec) {
  auto session = std::make_unique<IsolatedSession>(
      pool_, std::make_shared<const SessionSpec>(std::move(spec)), std::make_shared<Home>());
  ORDO_TRY(session->attach());
  return session;
}

IsolationStats IsolatedBackend::stats() const { return pool_->stats(); }

CrashLedger& IsolatedBackend::ledger() const { return pool_->ledger(); }

}  // namespace ordo::env
