// Each call is one request through place_ (tenancy.h), which rebuilds the session from history_ where it has
// lost its worker; so history_ grows only by actions that are known to be applied. If a worker died of a
// request, note() enters the culprit in the ledger under the hash of the state before, which another worker
// computes. An action or metric that the ledger mentions is looked up in its state before it is sent; others
// are sent at once, because the hash costs a request. A step is one request, unless the ledger mentions it or
// its worker died: then what is left of it is done in parts, and each part knows what to do with a death.
#include "env/isolated_session.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "env/caution.h"
#include "env/tenancy.h"

namespace ordo::env {
namespace {

using sandbox::CallResult;

// A worker that is killed each time is not killed by chance.
constexpr int kTries = 4;

class IsolatedSession final : public Session {
 public:
  IsolatedSession(std::shared_ptr<WorkerPool> pool, std::shared_ptr<const SessionSpec> spec,
                  std::shared_ptr<Home> home)
      : spec_(std::move(spec)),
        place_(std::move(pool), spec_, std::move(home), history_),
        caution_(place_.pool().ledger(), *spec_) {}

  // Makes sure that the session is in a worker.
  Status attach() {
    ORDO_TRY(place_.turn());
    return {};
  }

  const SessionSpec& spec() const override { return *spec_; }
  std::span<const ActionIndex> history() const override { return history_; }

  Status reset() override {
    history_.clear();
    substitute_hash_.reset();
    {
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange, place_.ask(Op::kReset));
      if (!exchange.answer.died()) return getStatus(exchange.answer.reader);
    }
    return attach();  // the old state could not even be torn down; opening anew is a reset too
  }

  Result<StepOutcome> apply(std::span<const ActionIndex> actions) override {
    checkIndices(actions);
    StepOutcome total;
    while (!actions.empty()) {
      // As many as can be sent before one that is known to kill in some state; that one is looked
      // up in its state first.
      std::size_t count = caution_.harmless(actions);
      if (count == 0) {
        ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
        if (caution_.killsIn(state, actions.front())) {
          place_.pool().countMasked();
          total.status = StepStatus::kRejected;
          total.detail = fmt::format("{} is known to kill a worker in this state",
                                     caution_.meaning(actions.front()).name);
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
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange, place_.ask(Op::kLegal));
      Answer& answer = exchange.answer;
      if (answer.died()) return fail(answer.death("listing legal actions"));
      ORDO_TRY(getStatus(answer.reader));
      legal = answer.reader.getArray<std::uint8_t>();
      if (!answer.reader.ok() || legal.size() != spec_->actions.size()) return place_.nonsense();
    }
    if (!caution_.masksAny()) return legal;
    ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
    caution_.mask(state, legal);
    return legal;
  }

  Result<Hash128> stateHash() override {
    if (substitute_hash_) return *substitute_hash_;
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange, place_.ask(Op::kHash));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        const auto hash = answer.reader.get<Hash128>();
        if (!answer.reader.ok()) return place_.nonsense();
        return hash;
      }
      if (answer.lost()) return fail(answer.death("hashing a state"));
      death = std::move(answer.call);
    }
    // The program is so broken that it cannot even be written down. What it was made from names it
    // just as well, only that another way to it has another name.
    std::string origin = spec_->program;
    for (const ActionIndex action : history_) (origin += '\0') += caution_.meaning(action).text;
    substitute_hash_ = hashBytes(origin);
    place_.pool().ledger().record({*substitute_hash_, "session:hash", statusOf(death.ending), death.detail,
                                   spec_->name, 1, !death.starved});
    return *substitute_hash_;
  }

  Result<Measurement> verify() override { return measurement(Op::kVerify, "verify"); }

  Result<Measurement> measure(std::string_view metric) override { return measurement(Op::kMeasure, metric); }

  Result<Measurement> estimate(std::string_view metric) override {
    return measurement(Op::kEstimate, metric);
  }

  Result<Observation> observe(std::string_view observation) override {
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange,
                      place_.ask(Op::kObserve, [&](Writer& out) { out.putBytes(observation); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        Observation result = getObservation(answer.reader);
        if (!answer.reader.ok()) return place_.nonsense();
        if (place_.shared()) {
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
    return fail(ErrorCode::kCorrupt, "{}",
                Answer(std::move(death)).death(fmt::format("observing {}", observation)).message);
  }

  Status beginStep(const StepRequest& request) override {
    checkIndices(request.actions);
    step_ = request;
    in_parts_ = false;
    // What is known to kill in some state is looked up in its state first.
    if (substitute_hash_ || caution_.neededFor(request)) return Session::beginStep(request);
    if (request.reset) {
      history_.clear();
      substitute_hash_.reset();
    }
    // What the ledger masks depends on the state; otherwise nobody has to name it.
    masks_ = request.legal && caution_.masksAny();
    step_.hash = request.hash || masks_;
    ORDO_TRY(place_.post(Op::kStep, request.spin, [&](Writer& out) { put(out, step_); }));
    step_.hash = request.hash;
    in_parts_ = true;
    return {};
  }

  bool stepReady() override { return !in_parts_ || place_.answered(); }

  Result<StepReport> finishStep() override {
    if (!in_parts_) return Session::finishStep();
    in_parts_ = false;
    CallResult death;
    {
      Tenancy::Exchange exchange = place_.finish();
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        StepReport report = getStepReport(answer.reader);
        if (!answer.reader.ok() || report.outcome.applied > step_.actions.size() ||
            report.measurements.size() != step_.metrics.size() ||
            (!report.legal.empty() && report.legal.size() != spec_->actions.size()) ||
            (report.outcome.ok() && !report.observed(step_))) {
          return place_.nonsense();
        }
        advance(std::span(step_.actions).first(report.outcome.applied));
        if (masks_) caution_.mask(report.hash, report.legal);
        if (!step_.hash) report.hash = {};
        if (place_.shared()) keep(report);
        return report;
      }
      death = std::move(answer.call);
    }
    // Part by part, for each part knows what to do with its own death.
    StepRequest rest = step_;
    if (death.worthAnother()) return stepByParts(rest);
    StepOutcome outcome;
    if (death.progress < rest.actions.size()) {
      outcome = diedIn(rest.actions, death);
    } else {
      advance(rest.actions);
      outcome.applied = static_cast<std::uint32_t>(rest.actions.size());
      outcome.changed = true;  // not known; see StepOutcome
    }
    rest.reset = false;
    rest.actions.clear();
    ORDO_TRY_ASSIGN(StepReport report, stepByParts(rest));
    report.comeAfter(std::move(outcome));
    return report;
  }

  Result<std::unique_ptr<Session>> fork() override {
    auto copy = std::make_unique<IsolatedSession>(place_.sharedPool(), spec_, place_.home());
    copy->history_ = history_;
    copy->substitute_hash_ = substitute_hash_;
    CallResult death;
    {
      std::uint64_t number = 0;
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange,
                      place_.ask(Op::kFork, [&](Writer& out) { out.put(number = place_.nextNumber()); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        if (answer.reader.get<bool>()) copy->history_.push_back(kPipe);
        if (!answer.reader.ok()) return place_.nonsense();
        place_.settle(copy->place_, number);
        return copy;
      }
      if (answer.lost()) return fail(answer.death("forking"));
      death = std::move(answer.call);
    }
    note("session:fork", death);
    return copy;  // in no worker yet: it is made by replay when it is used
  }

 private:
  void checkIndices(std::span<const ActionIndex> actions) const {
    for (const ActionIndex action : actions) {
      ORDO_CHECK(action < spec_->actions.size() || action == kPipe, "action {} of {}", action,
                 spec_->actions.size());
    }
  }

  // Others share this worker's memory and may overwrite a reply before it is read.
  void keep(StepReport& report) {
    kept_.resize(report.observations.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      kept_[i].assign(report.observations[i].text());
      report.observations[i].bytes = std::as_bytes(std::span(kept_[i]));
    }
  }

  void advance(std::span<const ActionIndex> applied) {
    history_.insert(history_.end(), applied.begin(), applied.end());
    if (!applied.empty()) substitute_hash_.reset();
  }

  Result<StepOutcome> applyUnchecked(std::span<const ActionIndex> actions) {
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange,
                      place_.ask(Op::kApply, [&](Writer& out) { out.putArray(actions); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        StepOutcome outcome = getOutcome(answer.reader);
        if (!answer.reader.ok() || outcome.applied > actions.size()) return place_.nonsense();
        advance(actions.first(outcome.applied));
        return outcome;
      }
      if (answer.lost()) return fail(answer.death("applying actions"));
      death = std::move(answer.call);
    }
    return diedIn(actions, death);
  }

  // Goes back to the state before actions[progress], elsewhere, and notes the pair.
  StepOutcome diedIn(std::span<const ActionIndex> actions, const CallResult& death) {
    const std::uint32_t applied =
        std::min<std::uint32_t>(death.progress, static_cast<std::uint32_t>(actions.size()) - 1);
    advance(actions.first(applied));
    const Action& culprit = caution_.meaning(actions[applied]);
    note(culprit.text, death);
    return StepOutcome{statusOf(death.ending), applied, applied > 0,
                       fmt::format("{}: {}", culprit.name, death.detail)};
  }

  // Enters a death in the ledger under the state it happened in, which is rebuilt elsewhere. If that
  // fails too, the outcome still stands and the next call says what is wrong.
  void note(const std::string& culprit, const CallResult& death) {
    if (const Result<Hash128> state = stateHash()) {
      place_.pool().ledger().record(
          {*state, culprit, statusOf(death.ending), death.detail, spec_->name, 1, !death.starved});
    }
  }

  Result<Measurement> measurement(Op op, std::string_view metric) {
    // A state whose measurement killed a worker would do so again.
    if (caution_.mayKill(metric)) {
      ORDO_TRY_ASSIGN(const Hash128 state, stateHash());
      if (caution_.killsIn(state, metric)) {
        place_.pool().countMasked();
        return Measurement{StepStatus::kRejected, 0,
                           fmt::format("measuring {} is known to kill a worker in this state", metric)};
      }
    }
    CallResult death;
    {
      ORDO_TRY_ASSIGN(Tenancy::Exchange exchange, place_.ask(op, [&](Writer& out) { out.putBytes(metric); }));
      Answer& answer = exchange.answer;
      if (!answer.died()) {
        ORDO_TRY(getStatus(answer.reader));
        Measurement result = getMeasurement(answer.reader);
        if (!answer.reader.ok()) return place_.nonsense();
        return result;
      }
      if (answer.lost()) return fail(answer.death(fmt::format("measuring {}", metric)));
      death = std::move(answer.call);
    }
    note(measuring(metric), death);
    return Measurement{statusOf(death.ending), 0, death.detail};
  }

  std::shared_ptr<const SessionSpec> spec_;
  std::vector<ActionIndex> history_;
  Tenancy place_;  // replays history_
  Caution caution_;
  std::optional<Hash128> substitute_hash_;  // of a state that cannot be hashed
  std::vector<std::byte> observed_;
  StepRequest step_;               // the one begun last
  bool in_parts_ = false;          // it is on its way
  bool masks_ = false;             // and the ledger may mask something after it
  std::vector<std::string> kept_;  // what the observations of the latest step look at, if shared
};

}  // namespace

IsolatedBackend::IsolatedBackend(std::shared_ptr<sandbox::Zygote> zygote, sandbox::Limits limits,
                                 std::shared_ptr<CrashLedger> ledger)
    : pool_(std::make_shared<WorkerPool>(std::move(zygote), limits, std::move(ledger))) {}

IsolatedBackend::~IsolatedBackend() = default;

Result<BackendInfo> IsolatedBackend::describe() {
  for (int tries = 1;; ++tries) {
    ORDO_TRY_ASSIGN(std::shared_ptr<SharedWorker> worker, pool_->acquire());
    BackendInfo info;
    {
      const std::lock_guard lock(worker->mutex);
      Writer out(worker->worker->request());
      out.put(Op::kDescribe);
      ORDO_TRY_ASSIGN(CallResult result, pool_->call(*worker, out));
      Answer answer(std::move(result));
      if (answer.worthAnother() && tries < kTries) continue;
      if (answer.died()) return fail(answer.death("starting"));
      ORDO_TRY(getStatus(answer.reader));
      info = getInfo(answer.reader);
      if (!answer.reader.ok()) return fail(ErrorCode::kInternal, "a worker sent a reply that makes no sense");
    }
    pool_->release(std::move(worker));
    return info;
  }
}

Result<std::unique_ptr<Session>> IsolatedBackend::open(SessionSpec spec) {
  auto session = std::make_unique<IsolatedSession>(
      pool_, std::make_shared<const SessionSpec>(std::move(spec)), std::make_shared<Home>());
  ORDO_TRY(session->attach());
  return session;
}

std::uint32_t IsolatedBackend::activity() const { return pool_->bell().rings(); }

void IsolatedBackend::awaitActivity(std::uint32_t seen, double seconds, bool spin) {
  thread_local sandbox::Patience learned;
  sandbox::Patience none = sandbox::Patience::none();
  pool_->bell().wait(seen, seconds, spin ? learned : none);
}

IsolationStats IsolatedBackend::stats() const { return pool_->stats(); }

CrashLedger& IsolatedBackend::ledger() const { return pool_->ledger(); }

}  // namespace ordo::env
