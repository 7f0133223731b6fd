// dispatch() has one case for each Op; begin there. Sessions are in a map, under numbers that the coordinator
// chose, and a fork is one more entry. serve() begins the reply anew if there is an error, or if what was
// written does not fit, so that a reply is always whole. A step applies its actions as kApply does, and then
// asks the session for the rest of the request.
#include "env/session_service.h"

#include <map>

#include "env/wire.h"

namespace ordo::env {
namespace {

class SessionService final : public sandbox::Service {
 public:
  explicit SessionService(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}

  std::size_t serve(std::span<const std::byte> request, std::span<std::byte> reply,
                    const std::function<void()>& step) override {
    Reader in(request);
    Writer out(reply);
    const Op op = in.get<Op>();
    if (Status status = in.ok() ? dispatch(op, in, out, step) : malformed(); !status) {
      out = Writer(reply);
      putError(out, status.error());
    } else if (!out.ok()) {
      out = Writer(reply);
      putError(out, {ErrorCode::kUnavailable, "a reply is larger than the shared memory of a worker"});
    }
    return out.size();
  }

 private:
  // Every argument is read before the first byte is written: request and reply share their memory.
  Status dispatch(Op op, Reader& in, Writer& out, const std::function<void()>& step) {
    if (op == Op::kDescribe) {
      ORDO_TRY_ASSIGN(const BackendInfo info, backend_->describe());
      out.put(true);
      put(out, info);
      return {};
    }
    const auto number = in.get<std::uint64_t>();
    if (!in.ok()) return malformed();
    if (op == Op::kOpen) {
      SessionSpec spec = getSpec(in);
      if (!in.ok() || sessions_.contains(number)) return malformed();
      ORDO_TRY_ASSIGN(sessions_[number], backend_->open(std::move(spec)));
      out.put(true);
      return {};
    }
    const auto found = sessions_.find(number);
    if (found == sessions_.end()) {
      return fail(ErrorCode::kInternal, "this worker has no session {}", number);
    }
    Session& session = *found->second;
    switch (op) {
      case Op::kClose:
        sessions_.erase(found);
        out.put(true);
        return {};
      case Op::kReset:
        ORDO_TRY(session.reset());
        out.put(true);
        return {};
      case Op::kApply: {
        const auto actions = in.getArray<ActionIndex>();
        if (!in.ok()) return malformed();
        ORDO_TRY_ASSIGN(const StepOutcome outcome, applyEach(session, actions, step));
        out.put(true);
        put(out, outcome);
        return {};
      }
      case Op::kStep: {
        StepRequest request = getStepRequest(in);
        if (!in.ok()) return malformed();
        if (request.reset) ORDO_TRY(session.reset());
        ORDO_TRY_ASSIGN(StepOutcome outcome, applyEach(session, request.actions, step));
        request.reset = false;
        request.actions.clear();
        ORDO_TRY_ASSIGN(StepReport report, session.step(request));
        report.comeAfter(std::move(outcome));
        out.put(true);
        put(out, report);
        return {};
      }
      case Op::kLegal: {
        ORDO_TRY_ASSIGN(const std::vector<std::uint8_t> legal, session.legalActions());
        out.put(true);
        out.putArray(std::span<const std::uint8_t>(legal));
        return {};
      }
      case Op::kHash: {
        ORDO_TRY_ASSIGN(const Hash128 hash, session.stateHash());
        out.put(true);
        out.put(hash);
        return {};
      }
      case Op::kVerify: {
        ORDO_TRY_ASSIGN(const Measurement measurement, session.verify());
        out.put(true);
        put(out, measurement);
        return {};
      }
      case Op::kObserve: {
        const std::string name = in.getString();
        if (!in.ok()) return malformed();
        ORDO_TRY_ASSIGN(const Observation observation, session.observe(name));
        out.put(true);
        put(out, observation);
        return {};
      }
      case Op::kMeasure:
      case Op::kEstimate: {
        const std::string name = in.getString();
        if (!in.ok()) return malformed();
        ORDO_TRY_ASSIGN(const Measurement measurement,
                        op == Op::kMeasure ? session.measure(name) : session.estimate(name));
        out.put(true);
        put(out, measurement);
        return {};
      }
      case Op::kFork: {
        const auto copy = in.get<std::uint64_t>();
        if (!in.ok() || sessions_.contains(copy)) return malformed();
        ORDO_TRY_ASSIGN(sessions_[copy], session.fork());
        out.put(true);
        out.put(sessions_[copy]->history().size() > session.history().size());
        return {};
      }
      default:
        return malformed();
    }
  }

  // One action at a time, so that the coordinator knows which one killed us.
  static Result<StepOutcome> applyEach(Session& session, std::span<const ActionIndex> actions,
                                       const std::function<void()>& step) {
    StepOutcome total;
    for (const ActionIndex& action : actions) {
      if (action >= session.spec().actions.size() && action != kPipe)
        return tl::unexpected(malformed().error());
      ORDO_TRY_ASSIGN(StepOutcome outcome, session.apply({&action, 1}));
      total.applied += outcome.applied;
      total.changed = total.changed || outcome.changed;
      total.status = outcome.status;
      total.detail = std::move(outcome.detail);
      if (!total.ok()) break;
      step();
    }
    return total;
  }

  static Status malformed() {
    return fail(ErrorCode::kInternal, "a worker received a request that makes no sense");
  }

  std::unique_ptr<Backend> backend_;
  std::map<std::uint64_t, std::unique_ptr<Session>> sessions_;
};

}  // namespace

std::unique_ptr<sandbox::Service> makeSessionService(std::unique_ptr<Backend> backend) {
  return std::make_unique<SessionService>(std::move(backend));
}

}  // namespace ordo::env
